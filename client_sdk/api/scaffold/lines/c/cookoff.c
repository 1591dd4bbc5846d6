// Every bot of the team walks at random.
static void choose(const char *view) {
    char ids[64] = "";
    sscanf(value(view, "bot_ids"), "[%63[^]]", ids);
    for (char *id = strtok(ids, ","); id; id = strtok(NULL, ","))
        printf("{\"type\":\"move\",\"bot_id\":%s,\"dx\":%d,\"dy\":%d},", id, rand() % 3 - 1,
               rand() % 3 - 1);
    printf("{\"type\":\"end_turn\"}");
}
