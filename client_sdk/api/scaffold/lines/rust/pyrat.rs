/// A random number below `limit`.
fn random(limit: usize) -> usize {
    use std::hash::BuildHasher;
    std::collections::hash_map::RandomState::new().hash_one(0) as usize % limit
}

/// A random direction that no wall closes.
fn choose(view: &str) -> Vec<String> {
    let moves = value(view, "moves").trim_start_matches('[');
    let open: Vec<&str> = moves.split(']').next().unwrap_or("").split(',').collect();
    match open[random(open.len())] {
        "" => vec!["\"STAY\"".into()],
        one => vec![one.into()],
    }
}
