/// A random number below `limit`.
fn random(limit: usize) -> usize {
    use std::hash::BuildHasher;
    std::collections::hash_map::RandomState::new().hash_one(0) as usize % limit
}

/// Every bot of the team walks at random.
fn choose(view: &str) -> Vec<String> {
    let ids = value(view, "bot_ids").trim_start_matches('[').split(']').next().unwrap_or("");
    let walk = |id: &str| {
        let (dx, dy) = (random(3) as i32 - 1, random(3) as i32 - 1);
        format!(r#"{{"type":"move","bot_id":{id},"dx":{dx},"dy":{dy}}}"#)
    };
    let mut commands: Vec<String> = ids.split(',').map(walk).collect();
    commands.push(r#"{"type":"end_turn"}"#.into());
    commands
}
