// Counts the bullets, uses no items.
static void choose(const char *view) {
    const char *phase = value(view, "phase"), *gun = value(view, "gun");
    int live = atoi(value(gun, "live")), total = atoi(value(gun, "total"));
    if (is(phase, "\"shoot\""))
        printf("{\"type\":\"shoot\",\"target\":\"%s\"}", 4 * live < total ? "self" : "opponent");
    else if (is(phase, "\"item\""))
        printf("{\"type\":\"item\",\"slot\":0}");
    else
        printf("{\"type\":\"abstain\",\"value\":false}");
}
