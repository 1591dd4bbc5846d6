static final Random RANDOM = new Random();

// A random direction that no wall closes.
static List<String> choose(String view) {
    String moves = value(view, "moves");
    String[] open = moves.substring(1, moves.indexOf(']')).split(",");
    String move = open[RANDOM.nextInt(open.length)];
    return List.of(move.isEmpty() ? "\"STAY\"" : move);
}
