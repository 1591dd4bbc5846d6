/// A random number below `limit`.
fn random(limit: usize) -> usize {
    use std::hash::BuildHasher;
    std::collections::hash_map::RandomState::new().hash_one(0) as usize % limit
}

const WAYS: [(&str, i32, i32); 4] =
    [("up", 0, -1), ("right", 1, 0), ("down", 0, 1), ("left", -1, 0)];

/// Where most pellets lie ahead before a wall; at random where there are none.
fn choose(view: &str) -> Vec<String> {
    let map = value(view, "map").split(']').next().unwrap_or("");
    let rows: Vec<&[u8]> =
        map.split(',').map(|row| row.trim_matches(['[', '"']).as_bytes()).collect();
    let mut animal = value(view, "animals");
    for _ in 0..=number(value(view, "you"), "seat") {
        animal = value(animal, "seat");
    }
    let (mut best, mut most) = (WAYS[random(4)].0, 0);
    for (action, dx, dy) in WAYS {
        let (mut x, mut y, mut pellets) = (number(animal, "x"), number(animal, "y"), 0);
        loop {
            (x, y) = (x + dx, y + dy);
            match rows.get(y as usize).and_then(|row| row.get(x as usize)) {
                None | Some(b'1' | b'4') => break, // off the board, a wall, a cage
                Some(b'2') => pellets += 1,
                Some(_) => {}
            }
        }
        if pellets > most {
            (best, most) = (action, pellets);
        }
    }
    vec![format!(r#"{{"action":"{best}"}}"#)]
}
