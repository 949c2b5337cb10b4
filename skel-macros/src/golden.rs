//! The expansion, pinned: `tests/expand/NAME.in.rs` gives `NAME.out.rs`.

