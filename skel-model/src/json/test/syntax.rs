//! The grammar, and the caps beyond it.

use crate::json::test::*;

fn problem(text: &[u8]) -> SyntaxProblem {
    match Json::parse(text) {
        Err(Malformed::Syntax { problem, .. }) => problem,
        other => panic!("{other:?}"),
    }
}

/// The same value, as the parser of others has it.
pub(super) fn same(ours: &Json, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Json::Null, serde_json::Value::Null) => true,
        (Json::Bool(a), serde_json::Value::Bool(b)) => a == b,
        (Json::Integer(a), serde_json::Value::Number(b)) => b.as_u64() == Some(*a),
        (Json::Float(a), serde_json::Value::Number(b)) => {
            // Theirs may be wrong in the last digit, unless told to be exact.
            b.as_f64().is_some_and(|b| (a - b).abs() <= a.abs() * 1e-15)
        }
        (Json::Text(a), serde_json::Value::String(b)) => a == b,
        (Json::List(a), serde_json::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), serde_json::Value::Object(b)) => {
            let all = |(name, value): &(String, Json)| b.get(name).is_some_and(|b| same(value, b));
            a.len() == b.len() && a.iter().all(all)
        }
        _ => false,
    }
}

/// Whether we read a text as others do; what they take and we do not must be a name that stands twice.
pub(super) fn agrees(text: &[u8]) -> Result<(), String> {
    let theirs = serde_json::from_slice::<serde_json::Value>(text);
    let ours = Json::parse(text);
    let shown = || String::from_utf8_lossy(text).into_owned();
    match (ours, theirs) {
        (Ok(a), Ok(b)) if same(&a, &b) => Ok(()),
        (Err(_), Err(_)) => Ok(()),
        (
            Err(Malformed::Syntax {
                problem: SyntaxProblem::DuplicateName,
                ..
            }),
            Ok(_),
        ) => Ok(()),
        (ours, theirs) => Err(format!("{}: {ours:?}, but {theirs:?}", shown())),
    }
}

#[test]
fn the_grammar_is_that_of_others() {
    let texts = [
        "null",
        "true",
        "false",
        "nul",
        "truth",
        "0",
        "-0",
        "01",
        "-",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "1e5",
        "1E-5",
        "1e400",
        "-1e400",
        "1e-400",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "0.1",
        "1.7976931348623157e308",
        "5e-324",
        "NaN",
        "inf",
        "[]",
        "[1,]",
        "[,]",
        "[1 2]",
        "[1,2]",
        "{}",
        "{\"a\":1}",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\" 1}",
        "{\"a\":}",
        "\"\"",
        "\"a",
        "\"\\u0041\"",
        "\"\\u00\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83d\\u0041\"",
        "\"\\x\"",
        "\"\n\"",
        "\"\t\"",
        "\"\u{7f}é😀\"",
        "\"\\/\\b\\f\\n\\r\\t\"",
        "",
        " ",
        " 1 ",
        "1 1",
        "[1]]",
        "\u{feff}1",
        "\u{a0}1",
        "[1]\u{0}",
        "'a'",
        "{\"a\":{\"b\":[{}]}}",
    ];
    for text in texts {
        agrees(text.as_bytes()).unwrap();
    }
    for bytes in [
        b"\"\xff\"".as_slice(),
        b"\"\xc3\"",
        b"\xef\xbb\xbf1",
        b"\xed\xa0\x80",
    ] {
        agrees(bytes).unwrap();
    }
}

#[test]
fn what_is_wrong_has_a_place() {
    let error = Json::parse(b"{\n  \"a\": 1,\n  \"b\" 2\n}").unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 7: expected `:`");
    let error = Json::parse(b"{\"a\": 1, \"a\": 2}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 10: this name stands twice in one object"
    );
    let error = Json::parse(b"[1,\n \"\xff\"]").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 3: not UTF-8");
}

#[test]
fn names_are_compared_by_what_they_say() {
    assert_eq!(
        problem(br#"{"a":1,"\u0061":2}"#),
        SyntaxProblem::DuplicateName
    );
}

#[test]
fn what_is_too_large_is_not_read() {
    let mut text = vec![b' '; MAX_BYTES];
    text[0] = b'1';
    assert_eq!(Json::parse(&text), Ok(Json::Integer(1)));
    text.push(b' ');
    let bytes = MAX_BYTES as u64 + 1;
    assert_eq!(Json::parse(&text), Err(Malformed::TooLarge { bytes }));

    let nested = |depth| [b"[".repeat(depth), b"]".repeat(depth)].concat();
    assert!(Json::parse(&nested(MAX_DEPTH)).is_ok());
    assert_eq!(problem(&nested(MAX_DEPTH + 1)), SyntaxProblem::TooDeep);
    // What would overflow a stack is not gone into.
    assert_eq!(problem(&b"[".repeat(MAX_BYTES)), SyntaxProblem::TooDeep);
    assert_eq!(
        problem(&b"{\"\":".repeat(MAX_BYTES / 4)),
        SyntaxProblem::TooDeep
    );

    let list = |entries: usize| [b"[0".as_slice(), &b",0".repeat(entries - 1), b"]"].concat();
    assert!(Json::parse(&list(MAX_VALUES - 1)).is_ok());
    assert_eq!(problem(&list(MAX_VALUES)), SyntaxProblem::TooMany);

    let string = |bytes| [b"\"".as_slice(), &b"a".repeat(bytes), b"\""].concat();
    assert!(Json::parse(&string(MAX_TEXT_BYTES)).is_ok());
    assert_eq!(
        problem(&string(MAX_TEXT_BYTES + 1)),
        SyntaxProblem::LongText
    );
}

#[test]
fn many_names_are_no_more_work_than_many_values() {
    use std::fmt::Write;
    let mut text = String::from("{\"n\":0");
    for k in 0..100_000 {
        write!(text, ",\"{k}\":0").unwrap();
    }
    text.push('}');
    let Json::Object(fields) = Json::parse(text.as_bytes()).unwrap() else {
        panic!("an object");
    };
    assert_eq!(fields.len(), 100_001);
}

#[test]
fn a_terminal_gets_no_commands() {
    let json = Json::from("\u{1b}[2J\u{7f}\u{9b}31m\u{202e}é\"\\");
    let text = json.to_string();
    assert_eq!(text, r#""\u001b[2J\u007f\u009b31m\u202eé\"\\""#);
    assert_eq!(Json::parse(text.as_bytes()), Ok(json));
}

#[test]
fn what_is_not_finite_does_not_come_back_as_a_number() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Json::Float(number).to_string(), "null");
    }
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<u64>().prop_map(Json::Integer),
        any::<f64>()
            .prop_filter("finite", |x| x.is_finite())
            .prop_map(Json::Float),
        ".{0,8}".prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::List),
            prop::collection::btree_map(".{0,4}", inner, 0..6)
                .prop_map(|fields| Json::Object(fields.into_iter().collect())),
        ]
    })
}

/// Bit by bit, so that no float changes, be it the sign of a zero.
fn identical(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Float(a), Json::Float(b)) => a.to_bits() == b.to_bits(),
        (Json::List(a), Json::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| identical(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let same =
                |((n, a), (m, b)): (&(String, Json), &(String, Json))| n == m && identical(a, b);
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (a, b) => a == b,
    }
}

proptest! {
    #[test]
    fn what_was_written_is_what_is_read(json in json()) {
        for text in [json.to_string(), json.pretty()] {
            let read = Json::parse(text.as_bytes()).unwrap();
            prop_assert!(identical(&read, &json), "{}", text);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
        }
        prop_assert!(!json.to_string().contains('\n'));
    }

    #[test]
    fn texts_of_the_alphabet_of_json_are_read_as_by_others(
        text in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "u00e9", "1", "0", "-", ".", "e", "+", " ",
                "\n", "null", "true", "é",
            ]),
            0..12,
        )
    ) {
        agrees(text.concat().as_bytes()).map_err(TestCaseError::fail)?;
    }
}
