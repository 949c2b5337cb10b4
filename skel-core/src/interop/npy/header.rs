//! The header of a file, checked before the library's parser has it: that one calls itself for each bracket, takes twice
//! as long for each bracket within another, and asks for as much memory as the header says that it has.

#[cfg(test)]
mod test;

use super::{Attempt, Problem};
use ndarray_npy::npy::header::{Header, ReadHeaderError};
use std::io::Read;

const MAGIC: [u8; 6] = *b"\x93NUMPY";

/// The longest header that is read; the slowest of that length take seconds. NumPy reads none above 10,000 bytes unless it
/// is told to.
const MAX_BYTES: u64 = 1 << 16;

/// A dictionary with a list of fields, which are tuples, in which there are shapes.
const MAX_DEPTH: usize = 4;

/// Reads it from the beginning of a file of so many bytes.
pub(super) fn read(file: &mut impl Read, file_bytes: u64) -> Attempt<Header> {
    // The magic string, two bytes for the version, and the length of what follows.
    let mut header = vec![0; MAGIC.len() + 2];
    fill(file, &mut header)?;
    if !header.starts_with(&MAGIC) {
        let found = header[..MAGIC.len()].escape_ascii();
        let expected = MAGIC.escape_ascii();
        return bad(format!("it begins with {found} instead of {expected}"));
    }
    let length_bytes = match (header[6], header[7]) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        (major, minor) => return bad(format!("version {major}.{minor} instead of 1.0 to 3.0")),
    };
    let mut length = [0; 4];
    fill(file, &mut length[..length_bytes])?;
    header.extend_from_slice(&length[..length_bytes]);

    let length = u64::from(u32::from_le_bytes(length));
    let left = file_bytes.saturating_sub(header.len() as u64);
    if length > left {
        return bad(format!(
            "its header has {length} bytes, but only {left} follow"
        ));
    }
    if length > MAX_BYTES {
        return bad(format!(
            "its header has {length} bytes, more than {MAX_BYTES}"
        ));
    }
    let start = header.len();
    header.resize(start + length as usize, 0);
    fill(file, &mut header[start..])?;
    check_depth(&header[start..])?;
    Ok(Header::from_reader(&mut &header[..])?)
}

fn fill(file: &mut impl Read, bytes: &mut [u8]) -> Attempt<()> {
    Ok(file.read_exact(bytes).map_err(ReadHeaderError::Io)?)
}

fn bad<T>(what: String) -> Attempt<T> {
    Err(Problem::Format(what))
}

/// Refuses brackets that are nested deeper than any array's. Those in strings are text.
fn check_depth(text: &[u8]) -> Attempt<()> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match (*byte, quote) {
            (b'\\', Some(_)) => {
                let escaped = bytes.next();
                // Of `\N{…}`, the parser takes quotes as part of a name. NumPy writes no such thing.
                if escaped == Some(&b'N') {
                    return bad("its header has a character by its name, \\N".into());
                }
            }
            (b'\'' | b'"', None) => quote = Some(*byte),
            (byte, Some(end)) if byte == end => quote = None,
            (_, Some(_)) => {}
            (b'(' | b'[' | b'{', None) => depth += 1,
            (b')' | b']' | b'}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return bad(format!(
                "brackets in its header are nested deeper than {MAX_DEPTH} levels"
            ));
        }
    }
    Ok(())
}
