// In the first turn all humans become missionaries, who then convert the neutral ones.
static List<String> choose(String view) {
    String me = number(view, "current_player") + ",", units = value(view, "units");
    units = units.substring(0, units.indexOf("\"structures\":"));
    var commands = new ArrayList<String>();
    for (String unit = value(units, "id"); !unit.isEmpty(); unit = value(unit, "id")) {
        String id = unit.split(",", 2)[0], job = value(unit, "job");
        if (!value(unit, "owner").startsWith(me)) continue;
        if (job.startsWith("\"cat overlord\"")) continue;
        if (number(view, "turn") < 2)
            commands.add("{\"cmd\":\"change_job\",\"unit\":" + id + ",\"job\":\"missionary\"}");
        if (!job.startsWith("\"missionary\"") || number(unit, "energy") < 75) continue;
        int x = number(unit, "x"), y = number(unit, "y"), dx = 0, dy = 0, nearest = 1000;
        for (String other = value(units, "id"); !other.isEmpty(); other = value(other, "id")) {
            int toX = number(other, "x") - x, toY = number(other, "y") - y;
            int steps = Math.abs(toX) + Math.abs(toY);
            if (!value(other, "owner").startsWith("null") || steps >= nearest) continue;
            dx = toX;
            dy = toY;
            nearest = steps;
        }
        if (nearest == 1000) continue;
        if (dy != 0) y += Integer.signum(dy);
        else x += Integer.signum(dx);
        commands.add(String.format("{\"cmd\":\"%s\",\"unit\":%s,\"x\":%d,\"y\":%d}",
                nearest == 1 ? "convert" : "move", id, x, y));
    }
    commands.add("{\"cmd\":\"end_turn\"}");
    return commands;
}
