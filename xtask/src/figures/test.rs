use super::*;

#[test]
fn every_figure_is_that_of_the_results() {
    run(&Options { check: true }).unwrap();
}

/// A measured figure: a number and a unit of time or of bandwidth.
fn figures(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| "(,;|".contains(c));
        word.chars().next().is_some_and(|c| c.is_ascii_digit())
    };
    let is_unit = |word: &str| {
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        ["ns", "µs", "ms", "s", "GB/s", "times"].contains(&word)
    };
    let pairs = words
        .windows(2)
        .filter(|pair| is_number(pair[0]) && is_unit(pair[1]));
    pairs.map(|pair| pair.join(" ")).collect()
}

#[test]
fn the_readme_has_no_measured_figure_of_its_own() {
    for document in ["README.md", "docs/speed.md"] {
        let text = by_hand(document, &read(document).unwrap()).unwrap();
        assert_eq!(figures(&text), Vec::<String>::new(), "{document}");
    }
    assert_eq!(
        figures("it takes 1.6 µs, or (3 ms)."),
        ["1.6 µs,", "(3 ms)."]
    );
}

#[test]
fn a_part_is_written_anew_and_nothing_else() {
    let text = "a\n<!-- figures x -->\nold\n<!-- end of figures -->\nb\n";
    let new = filled("f", text, |name| Ok(format!("new {name}"))).unwrap();
    assert_eq!(new, text.replace("old", "new x"));
    let open = text.replace(END, "");
    let said = filled("f", &open, |_| Ok(String::new()))
        .unwrap_err()
        .to_string();
    assert!(
        said.starts_with("f: no `<!-- end of figures -->`"),
        "{said}"
    );
}

#[test]
fn ratios_are_those_of_the_times_beside_them() {
    let table = |ratio: &str| {
        format!(
            "| n | plain loop | skel | skel : plain loop | skel : copy |\n| --- | ---: | ---: | ---: | ---: |\n\
             | 10^7 | 3.00 ms | 750 µs | {ratio} | 0.07 |\n"
        )
    };
    assert_eq!(results::with_ratios(&table("9.99")), table("4.00"));
    let text = format!("words | here\n\n{}", table("4.00"));
    assert_eq!(results::with_ratios(&text), text);
}
