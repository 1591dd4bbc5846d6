// In the first turn all humans become missionaries, who then convert the neutral ones.
static void choose(const char *view) {
    const char *end = value(view, "structures"), *unit, *other;
    char me = *value(view, "current_player"); // a digit
    for (unit = value(view, "id"); *unit && unit < end; unit = value(unit, "id")) {
        int id = atoi(unit), x = atoi(value(unit, "x")), y = atoi(value(unit, "y"));
        int dx = 0, dy = 0, nearest = 1000;
        if (*value(unit, "owner") != me || is(value(unit, "job"), "\"cat overlord\"")) continue;
        if (atoi(value(view, "turn")) < 2)
            printf("{\"cmd\":\"change_job\",\"unit\":%d,\"job\":\"missionary\"},", id);
        if (!is(value(unit, "job"), "\"missionary\"") || atoi(value(unit, "energy")) < 75) continue;
        for (other = value(view, "id"); *other && other < end; other = value(other, "id")) {
            int to_x = atoi(value(other, "x")) - x, to_y = atoi(value(other, "y")) - y;
            if (is(value(other, "owner"), "null") && abs(to_x) + abs(to_y) < nearest)
                dx = to_x, dy = to_y, nearest = abs(to_x) + abs(to_y);
        }
        if (nearest == 1000) continue;
        if (dy != 0) y += dy > 0 ? 1 : -1;
        else x += dx > 0 ? 1 : -1;
        printf("{\"cmd\":\"%s\",\"unit\":%d,\"x\":%d,\"y\":%d},", nearest == 1 ? "convert" : "move",
               id, x, y);
    }
    printf("{\"cmd\":\"end_turn\"}");
}
