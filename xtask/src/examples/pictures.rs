//! The examples that make pictures: every back end must make the same one, to the byte.

use super::{BACKENDS, program::Examples};
use crate::cmd::{Failure, Result};
use std::path::Path;

/// Examples, arguments that make a small picture, and how wide that is.
const PICTURES: [(&str, &[&str], u32); 5] = [
    (
        "mandelbrot",
        &["--size", "320x203", "--iterations", "300"],
        320,
    ),
    (
        "heat_diffusion",
        &["--size", "100", "--steps", "200", "--waves", "3"],
        100,
    ),
    ("game_of_life", &["--gliders", "4"], 1600),
    // With noise and without, side by side.
    ("median_filter", &[], 2 * 512),
    ("edge_detect", &[], 512),
];

/// A call that is shared between units.
const SPLIT: &str = "hybrid:0.3";

/// Makes them all.
pub(super) fn run(examples: &Examples) -> Result {
    for (name, args, width) in PICTURES {
        let mut first: Option<(&str, Picture)> = None;
        let mut devices = false;
        for backend in BACKENDS {
            let Some(picture) = make(examples, name, args, backend)? else {
                continue;
            };
            if picture.width != width {
                let what = format!("{name}: {} pixels wide, not {width}", picture.width);
                return Err(Failure::Check(what));
            }
            devices |= backend == "wgpu";
            let Some((reference, expected)) = &first else {
                first = Some((backend, picture));
                continue;
            };
            let differ = expected.differs(&picture);
            if differ > 0 {
                return Err(Failure::Check(format!(
                    "{name}: {differ} bytes of the picture differ between {reference} and {backend}"
                )));
            }
        }
        let line = make(examples, name, &[args, &["--show-split"]].concat(), SPLIT)?;
        if let (Some(line), true) = (line, devices)
            && line.red == 0
        {
            return Err(Failure::Check(format!(
                "{name}: --show-split draws no line"
            )));
        }
    }
    Ok(())
}

/// Nothing where there is no device to run on.
fn make(examples: &Examples, name: &str, args: &[&str], backend: &str) -> Result<Option<Picture>> {
    let file = format!("{name}-{}.png", backend.replace(':', "-"));
    let out = examples.scratch.join(file);
    let path = out.display().to_string();
    let args = [args, &["--backend", backend, "--out", &path]].concat();
    match examples.ok(name, &args)? {
        Some(_) => Picture::read(&out).map(Some),
        None => Ok(None),
    }
}

/// Decoded pixels.
struct Picture {
    width: u32,
    /// How many pixels are of the colour of `--show-split`, and nothing else.
    red: usize,
    bytes: Vec<u8>,
}

impl Picture {
    fn read(path: &Path) -> Result<Self> {
        let bad = |what: String| Failure::Check(format!("{}: {what}", path.display()));
        let file = std::fs::File::open(path).map_err(Failure::io(path.display().to_string()))?;
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .map_err(|e| bad(e.to_string()))?;
        let size = reader
            .output_buffer_size()
            .ok_or_else(|| bad("too large".into()))?;
        let mut bytes = vec![0; size];
        let info = reader
            .next_frame(&mut bytes)
            .map_err(|e| bad(e.to_string()))?;
        bytes.truncate(info.buffer_size());
        if bytes.iter().all(|b| *b == bytes[0]) {
            return Err(bad("every byte is the same".into()));
        }
        let pixels = bytes.chunks(info.color_type.samples());
        let red = pixels.filter(|pixel| *pixel == [255, 0, 0]).count();
        Ok(Picture {
            width: info.width,
            red,
            bytes,
        })
    }

    /// How many bytes differ; all, if the sizes do.
    fn differs(&self, other: &Picture) -> usize {
        if self.width != other.width || self.bytes.len() != other.bytes.len() {
            return self.bytes.len().max(other.bytes.len());
        }
        self.bytes
            .iter()
            .zip(&other.bytes)
            .filter(|(a, b)| a != b)
            .count()
    }
}
