// A random direction that no wall closes.
static void choose(const char *view) {
    char moves[64] = "", *move = "STAY";
    int count = 0;
    sscanf(value(view, "moves"), "[%63[^]]", moves);
    for (char *each = strtok(moves, "\","); each; each = strtok(NULL, "\","))
        if (rand() % ++count == 0) move = each;
    printf("\"%s\"", move);
}
