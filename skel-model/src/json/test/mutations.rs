//! Files that were cut, flipped and spliced: never a panic, and nothing read that is not in range.

use crate::json::test::*;

/// SplitMix64: the same files in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Reads it, and if it is taken, checks what was promised of it. Whether it was.
fn survives(text: &[u8]) -> bool {
    let Ok(file) = TuningFile::from_text(text) else {
        return false;
    };
    let time = |ns: f64| assert!((0.0..=1e20).contains(&ns), "{ns}");
    for machine in &file.machines {
        for (_, transfer) in &machine.transfers {
            time(transfer.up_latency_ns);
            time(transfer.up_ns_per_byte);
            time(transfer.down_latency_ns);
            time(transfer.down_ns_per_byte);
        }
        for instance in &machine.instances {
            assert!((0.0..=1.0).contains(&instance.read_back));
            let chains = instance.chain.iter().map(|c| &c.shares);
            let verified = instance.classes.iter().filter_map(|c| c.best.as_ref());
            for (_, share) in chains.chain(verified).flatten() {
                assert!((0.0..=1.0).contains(share));
            }
            for class in &instance.classes {
                time(class.split_overhead_ns);
                for unit in &class.units {
                    time(unit.fit.slope_ns);
                    let mut before = 0.0;
                    for n in [0.0, 1.0, 1e3, 1e6, 1e19] {
                        let ns = unit.fit.curve.at(n);
                        assert!(ns.is_finite() && ns >= before, "{ns} at {n}");
                        before = ns;
                    }
                }
            }
        }
    }
    // What was taken is written and taken again, as the same.
    assert_eq!(TuningFile::from_text(file.to_text().as_bytes()), Ok(file));
    true
}

#[test]
fn a_file_that_was_cut_is_refused() {
    let text = sample_file().to_json().to_string();
    // No text at all is a file of no models: where one is to be put.
    assert!(survives(b""));
    for end in 1..text.len() {
        assert!(
            !survives(&text.as_bytes()[..end]),
            "taken when cut at {end}"
        );
    }
    assert!(survives(text.as_bytes()));
}

/// Wherever it was cut, that is said, and not what a parser misses there; the place is that of the cut.
#[test]
fn a_file_that_was_cut_says_where_it_ends() {
    let mut file = sample_file();
    file.tool = "größe 😀 \u{1b}".into();
    for text in [file.to_text(), file.to_json().to_string()] {
        let text = text.trim_end().as_bytes();
        for end in 1..text.len() {
            let kept = &text[..end];
            let error = TuningFile::from_text(kept).unwrap_err();
            assert!(error.is_cut_off(), "cut at {end}: {error}");
            // Half of a character is none.
            let kept =
                &kept[..std::str::from_utf8(kept).map_or_else(|e| e.valid_up_to(), str::len)];
            let line = kept.split(|byte| *byte == b'\n').count();
            let column = kept.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
            let place = format!("line {line}, column {column}: it ends here, too early: ");
            assert!(error.to_string().starts_with(&place), "{error}: {place}");
        }
    }
}

#[test]
fn what_is_wrong_before_the_end_was_not_cut_off() {
    for text in [
        "{\"a\": tru]",
        "[1 2]",
        "[nul",
        "[\"\u{1}",
        "[1,\"\\x\"]",
        "}",
        "[1]]",
        "[nil",
        "{\"a\":1,\"a\":1",
    ] {
        let is_cut = matches!(Json::parse(text.as_bytes()), Err(e) if e.is_cut_off());
        assert_eq!(is_cut, text == "[nul", "{text}");
    }
    let not_text = Json::parse(b"[\"\xff").unwrap_err();
    assert!(!not_text.is_cut_off(), "{not_text}");
}

#[test]
fn a_byte_that_flips_is_survived() {
    let text = sample_file().to_json().to_string().into_bytes();
    let mut refused = 0;
    for k in 0..text.len() {
        for bit in [0, 1, 3, 5, 7] {
            let mut flipped = text.clone();
            flipped[k] ^= 1 << bit;
            refused += usize::from(!survives(&flipped));
        }
    }
    // Digits and letters of names may become others.
    assert!(refused > text.len() * 2, "{refused}");
}

#[test]
fn files_made_of_pieces_of_files_are_survived() {
    const HOSTILE: [&str; 16] = [
        "null",
        "1e308",
        "-1",
        "1e999",
        "NaN",
        "\"\\ud800\"",
        "[[[[[[[[",
        "{}",
        "[]",
        "\"\"",
        "7",
        "18446744073709551615",
        "0.1e-400",
        "\"weak: \"",
        "-0.0",
        "\"a:b#99999999999999999999\"",
    ];
    let text = sample_file().to_json().to_string().into_bytes();
    let mut random = Random(7);
    let mut taken = 0;
    for _ in 0..4_000 {
        let mut mutated = text.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(mutated.len());
            match random.below(5) {
                0 => mutated[at] = random.next() as u8,
                1 => drop(mutated.drain(at..(at + random.below(40)).min(mutated.len()))),
                2 => {
                    let from = random.below(text.len());
                    let to = (from + random.below(200)).min(text.len());
                    mutated.splice(at..at, text[from..to].iter().copied());
                }
                3 => {
                    let piece = HOSTILE[random.below(HOSTILE.len())];
                    mutated.splice(at..at, piece.bytes());
                }
                _ => replace_value(&mut mutated, at, HOSTILE[random.below(HOSTILE.len())]),
            }
        }
        taken += usize::from(survives(&mutated));
        super::syntax::agrees(&mutated).unwrap_or_else(|difference| {
            // We stop at caps that others do not have.
            let depth = difference.contains("TooDeep");
            assert!(depth, "{difference}");
        });
    }
    // Enough of them got through the grammar to say something of what lies behind it.
    assert!(taken > 100, "{taken}");
}

/// Puts something else where the next number or word after `at` stands.
fn replace_value(text: &mut Vec<u8>, at: usize, by: &str) {
    let of_value = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'"' | b'_');
    let Some(colon) = text[at..]
        .iter()
        .position(|b| matches!(b, b':' | b',' | b'['))
    else {
        return;
    };
    let start = at + colon + 1;
    let length = text[start..].iter().position(|b| !of_value(b)).unwrap_or(0);
    text.splice(start..start + length, by.bytes());
}
