static final Random RANDOM = new Random();
static final String[] ACTIONS = {"up", "right", "down", "left"};
static final int[][] STEPS = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

// Where most pellets lie ahead before a wall; at random where there are none.
static List<String> choose(String view) {
    String map = value(view, "map");
    String[] rows = map.substring(2, map.indexOf(']') - 1).split("\",\"");
    String animal = value(view, "animals");
    for (int seat = number(value(view, "you"), "seat"); seat >= 0; seat--)
        animal = value(animal, "seat");
    int best = RANDOM.nextInt(4), most = 0;
    for (int way = 0; way < 4; way++) {
        int x = number(animal, "x"), y = number(animal, "y"), pellets = 0;
        while (true) {
            x += STEPS[way][0];
            y += STEPS[way][1];
            if (y < 0 || y >= rows.length || x < 0 || x >= rows[y].length()) break;
            char cell = rows[y].charAt(x);
            if (cell == '1' || cell == '4') break; // a wall, a cage
            if (cell == '2') pellets++;
        }
        if (pellets > most) {
            best = way;
            most = pellets;
        }
    }
    return List.of("{\"action\":\"" + ACTIONS[best] + "\"}");
}
