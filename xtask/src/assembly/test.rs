use super::{Shape, listing::Listing, missed};

const TEXT: &str = "\
_RINv3isa2v3_4fold4Loop3sum:
\t.cfi_startproc
.LBB0_1:
\txorl\t%eax, %eax
.LBB0_2:
\tvaddps\t(%rdi,%rax), %ymm0, %ymm0
\tvaddps\t32(%rdi,%rax), %ymm1, %ymm1
.Ltmp1:
\taddq\t$64, %rax
\tjne\t.LBB0_2
\tcallq\tsomething
\tjmp\t.LBB0_1
.Lfunc_end0:
_RINv3isa2v3_4fold4Loop6called:
.LBB1_1:
\tvaddps\t%ymm0, %ymm0, %ymm0
\tcallq\tsomething
\tjne\t.LBB1_1
\tjne\t.LBB1_9
.LBB1_9:
.Lfunc_end1:
";

fn of(function: &'static str, wanted: &'static [(&'static str, usize, &'static str)]) -> Shape {
    Shape {
        function,
        within: &["3isa2v3", "4fold4Loop"],
        loops: 1,
        wanted,
    }
}

#[test]
fn innermost_loops_are_found() {
    let listing = Listing::of(TEXT);
    let loops: Vec<usize> = listing
        .functions
        .iter()
        .map(|(_, loops)| loops.len())
        .collect();
    assert_eq!(loops, [1, 1]);
    let (_, loops) = &listing.functions[0];
    assert_eq!(loops[0].len(), 4);
    assert_eq!(loops[0].count("vaddps", "ymm"), 2);
    assert!(!loops[0].calls());
}

#[test]
fn what_is_not_vectorised_is_told() {
    let listing = Listing::of(TEXT);
    let missed = |shape| missed(&shape, &listing);
    assert_eq!(missed(of("sum", &[("vaddps", 2, "ymm")])), None);
    for wrong in [
        of("sum", &[("vaddps", 3, "ymm")]),
        of("sum", &[("vaddps", 2, "zmm")]),
        of("sum", &[("vaddps", 2, "ymm"), ("vmulps", 1, "ymm")]),
        of("called", &[("vaddps", 1, "ymm")]),
        of("missing", &[("vaddps", 1, "ymm")]),
    ] {
        let why = missed(wrong).unwrap();
        assert!(why.contains("innermost loops have"), "{why}");
    }
}
