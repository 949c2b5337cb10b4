use crate::{Error, container::Vector, interop::npy};
use std::fs;

/// A file of that version with that header, and three elements of `f32`.
fn file(major: u8, header: &str) -> Vec<u8> {
    let length = (header.len() as u32 + 1).to_le_bytes();
    let length = if major == 1 { &length[..2] } else { &length };
    let elements = [1.5_f32, -2.0, 3.0].map(f32::to_le_bytes);
    let parts: [&[u8]; 6] = [
        b"\x93NUMPY",
        &[major, 0],
        length,
        header.as_bytes(),
        b"\n",
        elements.as_flattened(),
    ];
    parts.concat()
}

/// What is read from a file of these bytes, or what is wrong with its format.
fn load(name: &str, bytes: &[u8]) -> Result<Vec<f32>, String> {
    let path = std::env::temp_dir().join(format!("skel-npy-{}-{name}", std::process::id()));
    fs::write(&path, bytes).expect("a folder for temporary files");
    let found = npy::load::<Vector<f32>>(&path);
    fs::remove_file(&path).expect("the file");
    match found {
        Ok(vector) => Ok(vector.to_vec().expect("on the host")),
        Err(Error::Npy { problem, .. }) => Err(problem.to_string()),
        Err(other) => panic!("{other}"),
    }
}

fn header(descr: &str) -> String {
    format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (3,), }}")
}

#[test]
fn headers_of_all_versions_are_read() {
    for major in 1..=3 {
        let found = load(&format!("version{major}"), &file(major, &header("'<f4'")));
        assert_eq!(found.as_deref(), Ok(&[1.5, -2.0, 3.0][..]), "{major}");
    }
    let found = load("version4", &file(4, &header("'<f4'"))).unwrap_err();
    assert!(
        found.ends_with("version 4.0 instead of 1.0 to 3.0"),
        "{found}"
    );
    let found = load("magic", b"PK\x03\x04, a zip file").unwrap_err();
    assert!(
        found.ends_with(r"begins with PK\x03\x04,  instead of \x93NUMPY"),
        "{found}"
    );
}

#[test]
fn fields_with_shapes_and_any_names_reach_the_parser() {
    // They are no `f32`, which is what is wrong with them. The brackets of names are text, also behind quotes.
    for names in [
        r"'a', 'b'",
        r"'(((((', ')'",
        r"'\'(((((', '\\'",
        r#""'(((((", '"'"#,
    ] {
        let (a, b) = names.split_once(", ").expect("two names");
        let fields = format!("[({a}, '<f4', (2, 2)), ({b}, '<f4')]");
        let found = load("fields", &file(1, &header(&fields))).unwrap_err();
        assert!(found.starts_with("its elements are ["), "{found}");
    }
}

/// Brackets in brackets: the parser overflowed the stack, or took twice as long for each level.
#[test]
fn deeply_nested_brackets_are_refused_at_once() {
    let deep = |open: &str, close: &str, n| header(&(open.repeat(n) + &close.repeat(n)));
    let texts = [
        deep("(", ",)", 3_000),
        deep("[", "]", 40),
        deep("{", "}", 40),
        deep("[", "", 20_000),
        // What looks like a string's end, and is within a name to the parser.
        header(&format!(r"{{'\N{{'}}': {}", "[".repeat(40))),
        // Closing brackets that are text close nothing.
        header(&"[']', ".repeat(40)),
    ];
    for text in texts {
        let found = load("nested", &file(1, &text)).unwrap_err();
        let named = ["nested deeper than 4 levels", "by its name"];
        assert!(named.iter().any(|n| found.contains(n)), "{found}");
    }
}

/// Twenty bytes asked for 4 GiB.
#[test]
fn a_header_longer_than_the_file_or_than_any_is_refused() {
    let mut bytes = b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'".to_vec();
    let found = load("longer", &bytes).unwrap_err();
    assert!(
        found.ends_with("its header has 4294967295 bytes, but only 8 follow"),
        "{found}"
    );
    bytes[8..12].copy_from_slice(&70_000_u32.to_le_bytes());
    bytes.resize(80_000, b' ');
    let found = load("long", &bytes).unwrap_err();
    assert!(
        found.ends_with("its header has 70000 bytes, more than 65536"),
        "{found}"
    );
}
