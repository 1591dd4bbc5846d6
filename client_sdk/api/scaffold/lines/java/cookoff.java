static final Random RANDOM = new Random();

// Every bot of the team walks at random.
static List<String> choose(String view) {
    String ids = value(view, "bot_ids");
    var commands = new ArrayList<String>();
    for (String id : ids.substring(1, ids.indexOf(']')).split(","))
        commands.add(String.format("{\"type\":\"move\",\"bot_id\":%s,\"dx\":%d,\"dy\":%d}", id,
                RANDOM.nextInt(3) - 1, RANDOM.nextInt(3) - 1));
    commands.add("{\"type\":\"end_turn\"}");
    return commands;
}
