//! Reading a journal while it is written.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// Gives the lines that are new since it was asked last.
#[derive(Debug)]
pub struct Follower {
    path: PathBuf,
    offset: u64,
    /// The beginning of a line whose end is not written yet.
    begun: Vec<u8>,
    lines: usize,
}

impl Follower {
    /// Begins behind the first `offset` bytes, which hold `lines` lines.
    #[must_use]
    pub fn behind(path: &Path, offset: u64, lines: usize) -> Self {
        Follower {
            path: path.into(),
            offset,
            begun: Vec::new(),
            lines,
        }
    }

    /// Calls `line` with each new whole line and its number.
    ///
    /// # Errors
    /// What the file system says. That there is no file yet is none.
    pub fn poll(&mut self, mut line: impl FnMut(usize, &[u8])) -> io::Result<()> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e),
        };
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = vec![0; 1 << 16];
        loop {
            let read = file.read(&mut bytes)?;
            if read == 0 {
                return Ok(());
            }
            self.offset += read as u64;
            let mut rest = &bytes[..read];
            while let Some(end) = rest.iter().position(|b| *b == b'\n') {
                self.begun.extend(&rest[..=end]);
                self.lines += 1;
                line(self.lines, &self.begun);
                self.begun.clear();
                rest = &rest[end + 1..];
            }
            // What never ends is not kept; the line that it is of will not be understood.
            if self.begun.len() + rest.len() <= super::LINE_CAP_BYTES as usize {
                self.begun.extend(rest);
            }
        }
    }
}

/// Cuts a last line that was not written to its end, so that what is appended next stands on a line
/// of its own. Gives the bytes and lines that are left.
///
/// # Errors
/// What the file system says. That there is no file is none.
pub fn repair(path: &Path) -> io::Result<(u64, usize)> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok((0, 0)),
        Err(e) => return Err(e),
    };
    let (mut kept, mut lines, mut at) = (0, 0, 0);
    let mut bytes = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut bytes)?;
        if read == 0 {
            break;
        }
        for (k, byte) in bytes[..read].iter().enumerate() {
            if *byte == b'\n' {
                lines += 1;
                kept = at + k as u64 + 1;
            }
        }
        at += read as u64;
    }
    if kept < at {
        file.set_len(kept)?;
    }
    Ok((kept, lines))
}

#[cfg(test)]
mod test {
    use super::*;
    use std::{fs, io::Write};

    #[test]
    fn lines_come_when_they_are_whole_and_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("j");
        let mut follower = Follower::behind(&path, 0, 0);
        let poll = |follower: &mut Follower| {
            let mut seen = Vec::new();
            let seen_one = |n: usize, line: &[u8]| {
                seen.push((n, String::from_utf8_lossy(line).into_owned()));
            };
            follower.poll(seen_one).expect("it reads");
            seen
        };
        assert_eq!(poll(&mut follower), []);
        let mut file = File::create(&path).expect("a file");
        file.write_all(b"a\nb").expect("written");
        assert_eq!(poll(&mut follower), [(1, "a\n".into())]);
        file.write_all(b"c\n").expect("written");
        assert_eq!(poll(&mut follower), [(2, "bc\n".into())]);
        assert_eq!(poll(&mut follower), []);
    }

    #[test]
    fn a_line_that_was_cut_off_goes() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("j");
        assert_eq!(repair(&path).expect("no file"), (0, 0));
        fs::write(&path, "one\ntwo\nthr").expect("written");
        assert_eq!(repair(&path).expect("repaired"), (8, 2));
        assert_eq!(fs::read_to_string(&path).expect("text"), "one\ntwo\n");
        assert_eq!(repair(&path).expect("whole"), (8, 2));
    }
}
