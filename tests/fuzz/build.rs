//! The shim compiles in Cargo's folder for tests, which libraries are not told of.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = std::env::var("OUT_DIR").expect("Cargo says where to put things");
    println!("cargo::rustc-env=CARGO_TARGET_TMPDIR={folder}");
}
