//! Notices for users, on standard error: the one way for the whole library.
//!
//! `eprintln!` panics where standard error is a pipe that is closed, or a file on a disk that is full, and much
//! of what has something to say runs where nothing may unwind. A line that cannot be written is left out. The
//! crates of the library forbid other ways (`clippy::print_stderr`).

use std::{fmt::Display, io::Write};

/// Writes `skel: `, what is to be said and the end of a line, in one piece; no failure to write matters.
///
/// The caller must hold no locks: the reader at the other end of a pipe may take any time.
pub fn say(what: impl Display) {
    to(&mut std::io::stderr(), what);
}

fn to(out: &mut impl Write, what: impl Display) {
    let line = format!("skel: {what}\n");
    // Where standard error is closed it is not read.
    let _unread = out.write_all(line.as_bytes());
}

#[cfg(test)]
mod test {
    use super::*;
    use std::io::{Error, ErrorKind, Result};

    /// What standard error is when its reader has gone.
    struct Closed(usize);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> Result<usize> {
            self.0 += 1;
            Err(Error::from(ErrorKind::BrokenPipe))
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_is_written_in_one_piece_or_left_out() {
        let (mut written, mut closed) = (Vec::new(), Closed(0));
        to(&mut written, format_args!("{} said", "this is"));
        assert_eq!(written, b"skel: this is said\n");
        to(&mut closed, "this is not");
        assert_eq!(closed.0, 1);
    }
}
