// Every bot of the team walks at random.
static List<String> choose(String view) {
    var random = new Random();
    var commands = new ArrayList<String>();
    for (String id : value(view, "bot_ids").substring(1).split("]")[0].split(","))
        commands.add(String.format("{\"type\":\"move\",\"bot_id\":%s,\"dx\":%d,\"dy\":%d}", id,
                random.nextInt(3) - 1, random.nextInt(3) - 1));
    commands.add("{\"type\":\"end_turn\"}");
    return commands;
}
