static const struct { const char *name; int dx, dy; } ways[] = {
    {"up", 0, -1}, {"right", 1, 0}, {"down", 0, 1}, {"left", -1, 0}};

// Where most pellets lie ahead before a wall; at random where there are none.
static void choose(const char *view) {
    const char *map = value(view, "map") + 2; // behind [": rows of digits, with "," between them
    const char *animal = value(view, "animals");
    for (int seat = atoi(value(value(view, "you"), "seat")); seat >= 0; seat--)
        animal = value(animal, "seat");
    int width = strcspn(map, "\""), height = (strcspn(map, "]") + 2) / (width + 3);
    int best = rand() % 4, most = 0;
    for (int way = 0; way < 4; way++) {
        int x = atoi(value(animal, "x")), y = atoi(value(animal, "y")), pellets = 0;
        for (;;) {
            x += ways[way].dx, y += ways[way].dy;
            if (x < 0 || x >= width || y < 0 || y >= height) break;
            char cell = map[y * (width + 3) + x];
            if (cell == '1' || cell == '4') break; // a wall, a cage
            pellets += cell == '2';
        }
        if (pellets > most) most = pellets, best = way;
    }
    printf("{\"action\":\"%s\"}", ways[best].name);
}
