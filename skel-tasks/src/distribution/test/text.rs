//! Schemes as text.

use super::super::{Sizes, names, parse};

#[test]
fn what_is_shown_is_read_again_and_can_be_built() {
    let units = "2x4+1".parse().unwrap();
    for name in names() {
        let scheme = parse(name).unwrap();
        let text = scheme.text();
        assert!(text.starts_with(name), "{text}");
        assert_eq!(parse(&text).unwrap().text(), text);
        assert!(scheme.build(units, &Sizes::equal(3)).is_ok());
    }
}

#[test]
fn nonsense_is_named() {
    for (text, said) in [
        ("", "expected one of static, "),
        ("gided", "`gided`"),
        ("static,chunk=2", "`chunk` is `2`; expected no option"),
        ("dynamic,chunk=some", "1 or more items"),
        ("dynamic,pcf=2", "one of the options chunk, steps, variant"),
        ("guided-sizes,variant=best", "one of paper, recommended"),
        (
            "guided-sizes,paper",
            "`paper` is `no value`; expected one of the options variant",
        ),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
    let units = "2x4+1".parse().unwrap();
    for text in [
        "dynamic,chunk=0",
        "dynamic,steps=0",
        "guided-runtime,most=0",
    ] {
        let error = parse(text).unwrap().build(units, &Sizes::equal(3));
        assert!(
            error.unwrap_err().to_string().contains("1 or more"),
            "{text}"
        );
    }
}

#[test]
fn sizes_that_cannot_be_are_named() {
    for size in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = Sizes::new([1.0, size]).unwrap_err();
        assert_eq!(error.option, "size of item 1");
        assert_eq!(error.expected, "a finite number above 0");
    }
    let error = Sizes::new([f64::MAX, f64::MAX]).unwrap_err();
    assert_eq!(error.option, "sum of all sizes");
    assert!(Sizes::new([]).unwrap().is_empty());
}
