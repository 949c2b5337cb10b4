//! How deep a source is nested. naga, wgpu's compiler, refuses what is nested too deep for its recursion, in words
//! of its own; so sources are measured before they go there. Expressions are shallow already
//! (`skel_core::ir::build`), and long chains of `if` are flat; what is left are blocks in blocks.

/// The most brackets in each other: naga has 200 levels, and needs some for itself.
const MOST_NESTED: usize = 190;

/// The most blocks in each other: naga has 127.
const MOST_BLOCKS: usize = 120;

/// Whether naga reads a source that is nested so deep; why not.
pub(super) fn check(source: &str) -> Result<(), String> {
    let (mut nested, mut blocks) = (0_usize, 0_usize);
    let (mut most_nested, mut most_blocks) = (0, 0);
    for byte in source.bytes() {
        match byte {
            b'(' | b'[' => nested += 1,
            b'{' => (nested, blocks) = (nested + 1, blocks + 1),
            b')' | b']' => nested = nested.saturating_sub(1),
            b'}' => (nested, blocks) = (nested.saturating_sub(1), blocks.saturating_sub(1)),
            _ => {}
        }
        most_nested = most_nested.max(nested);
        most_blocks = most_blocks.max(blocks);
    }
    if most_blocks > MOST_BLOCKS {
        return Err(format!(
            "its blocks lie {most_blocks} deep in each other, and this device takes {MOST_BLOCKS}: make functions of some"
        ));
    }
    if most_nested > MOST_NESTED {
        return Err(format!(
            "its blocks and expressions lie {most_nested} deep in each other, and this device takes {MOST_NESTED}: make functions of some"
        ));
    }
    Ok(())
}

#[cfg(all(test, feature = "wgpu"))]
mod test {
    use super::*;
    use wgpu::naga::front::wgsl::parse_str;

    fn blocks(n: usize, inner: &str) -> String {
        format!(
            "fn f(x: u32) -> u32 {{ var y = x; {} y = {inner}; {} return y; }}",
            "if (y > 3u) {".repeat(n),
            "}".repeat(n)
        )
    }

    fn sum(n: usize) -> String {
        format!("{}y{}", "(1u + ".repeat(n), ")".repeat(n))
    }

    /// On a thread with the stack of those that compile.
    fn parses(source: String) -> bool {
        let read = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || parse_str(&source).is_ok());
        read.unwrap().join().unwrap()
    }

    #[test]
    fn what_is_let_through_naga_reads() {
        for (n, m) in [
            (MOST_BLOCKS - 1, 0),
            (0, MOST_NESTED - 1),
            (60, MOST_NESTED - 61),
        ] {
            let source = blocks(n, &sum(m));
            assert_eq!(check(&source), Ok(()), "{n}, {m}");
            assert!(parses(source), "{n}, {m}");
        }
    }

    #[test]
    fn what_it_does_not_read_is_refused() {
        for (n, m) in [(127, 0), (0, 200), (100, 100)] {
            let source = blocks(n, &sum(m));
            assert!(check(&source).is_err(), "{n}, {m}");
            assert!(!parses(source), "{n}, {m}");
        }
    }
}
