/// A random direction that no wall closes.
fn choose(view: &str) -> Vec<String> {
    let moves = value(view, "moves").trim_start_matches('[');
    let open: Vec<&str> = moves.split(']').next().unwrap_or("").split(',').collect();
    match open[random(open.len())] {
        "" => vec!["\"STAY\"".into()],
        one => vec![one.into()],
    }
}
