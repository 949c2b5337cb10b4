//! What users read when they write what is not possible. `TRYBUILD=overwrite` rewrites the texts.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
