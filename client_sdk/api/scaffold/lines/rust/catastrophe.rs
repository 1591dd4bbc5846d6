/// In the first turn all humans become missionaries, who then convert the neutral ones.
fn choose(view: &str) -> Vec<String> {
    let me = format!("{},", number(view, "current_player"));
    let units = value(view, "units").split("\"structures\":").next().unwrap_or("");
    let units: Vec<&str> = units.split("{\"id\":").skip(1).collect();
    let place = |unit: &str| (number(unit, "x"), number(unit, "y"));
    let neutral = units.iter().filter(|unit| value(unit, "owner").starts_with("null"));
    let mut commands = Vec::new();
    for unit in units.iter().filter(|unit| value(unit, "owner").starts_with(&me)) {
        let (id, job) = (unit.split(',').next().unwrap_or(""), value(unit, "job"));
        let (x, y) = place(unit);
        if number(view, "turn") < 2 && !job.starts_with("\"cat overlord\"") {
            commands.push(format!(r#"{{"cmd":"change_job","unit":{id},"job":"missionary"}}"#));
        }
        if !job.starts_with("\"missionary\"") || number(unit, "energy") < 75 {
            continue;
        }
        let ways = neutral.clone().map(|other| (place(other).0 - x, place(other).1 - y));
        let Some((dx, dy)) = ways.min_by_key(|(dx, dy)| dx.abs() + dy.abs()) else { continue };
        let name = if dx.abs() + dy.abs() == 1 { "convert" } else { "move" };
        let (x, y) = if dy != 0 { (x, y + dy.signum()) } else { (x + dx.signum(), y) };
        commands.push(format!(r#"{{"cmd":"{name}","unit":{id},"x":{x},"y":{y}}}"#));
    }
    commands.push(r#"{"cmd":"end_turn"}"#.into());
    commands
}
