//! What users read when they write what is not possible. `TRYBUILD=overwrite` rewrites the texts.
//!
//! A package of its own, since `trybuild` compiles all that the package of a test depends on once more.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
