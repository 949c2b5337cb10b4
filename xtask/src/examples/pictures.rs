//! The examples that make pictures: every back end must make the same one, to the byte.

use super::{BACKENDS, program::Examples};
use crate::cmd::{Failure, Result};
use std::{collections::BTreeSet, path::Path};

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

/// More colours than a picture has of which each pixel is one sample.
const MOST_OF_SINGLE_SAMPLES: usize = 6000;

/// More colours than the picture's upper edge has where colours change at whole numbers of steps.
const MOST_OF_BANDS: usize = 24;

/// How blue what is no inside is, at least: see the palette.
const DARK_BLUE: u8 = 40;

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
    chessboard(examples)?;
    let shown = make(examples, "mandelbrot", &[], "cpu")?;
    let wrong = shown.and_then(|picture| picture.is_smooth_set().err());
    match wrong {
        Some(what) => Err(Failure::Check(format!("mandelbrot, as shown: {what}"))),
        None => Ok(()),
    }
}

/// The median filter takes less noise from a chessboard than from a photograph, and there is none on a picture of few
/// pixels: neither is wrong.
fn chessboard(examples: &Examples) -> Result {
    for side in [2_u32, 64] {
        let file = examples.scratch.join(format!("chessboard{side}.png"));
        let path = file.display().to_string();
        let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let bytes: Vec<u8> = places.map(|(x, y)| 255 * ((x + y) % 2) as u8).collect();
        let mut encoded = Vec::new();
        let encoder = png::Encoder::new(&mut encoded, side, side);
        let written = encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&bytes));
        written.map_err(|error| Failure::Check(format!("{path}: {error}")))?;
        std::fs::write(&file, encoded).map_err(Failure::io(path.clone()))?;
        let out = examples.scratch.join("filtered.png").display().to_string();
        examples.ok("median_filter", &[&path, "--out", &out])?;
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

    /// Whether it is the Mandelbrot set as it is shown: black inside, coloured at the corners, in colours that follow each
    /// other smoothly, and of several samples for each pixel.
    ///
    /// # Errors
    /// What it is not.
    fn is_smooth_set(&self) -> std::result::Result<(), String> {
        let pixels: Vec<&[u8]> = self.bytes.chunks_exact(3).collect();
        let rows: Vec<&[&[u8]]> = pixels.chunks_exact(self.width as usize).collect();
        let colours = |pixels: &[&[u8]]| pixels.iter().copied().collect::<BTreeSet<_>>().len();
        // By single samples it has 1280, and 18765 by their means.
        let all = colours(&pixels);
        if all < MOST_OF_SINGLE_SAMPLES {
            return Err(format!("{all} colours: one sample for each pixel"));
        }
        // Whole numbers of steps give bands: 4 colours in this row, where there are 48.
        let (top, bottom) = (rows[0], rows[rows.len() - 1]);
        let along = colours(top);
        if along < MOST_OF_BANDS {
            return Err(format!("{along} colours along the upper edge: bands"));
        }
        let inside = rows[rows.len() / 2][top.len() / 2];
        if inside != [0, 0, 0] {
            return Err(format!("{inside:?} inside the set, which is not black"));
        }
        let corners = [top, bottom].map(|row| [row[0], row[row.len() - 1]]);
        match corners.as_flattened().iter().find(|c| c[2] < DARK_BLUE) {
            Some(corner) => Err(format!("{corner:?} at a corner, as dark as the set")),
            None => Ok(()),
        }
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

#[cfg(test)]
mod test {
    use super::*;

    /// A set in the middle of colours that a function gives for each place.
    fn picture(colour: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        let (width, height) = (200, 150);
        let at = |x: usize, y: usize| match (x.abs_diff(100) < 20, y.abs_diff(75) < 20) {
            (true, true) => [0, 0, 0],
            _ => colour(x, y),
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Picture {
            width: width as u32,
            red: 0,
            bytes: places.flat_map(|(x, y)| at(x, y)).collect(),
        }
    }

    #[test]
    fn a_picture_of_a_smooth_set_is_one_and_others_are_not() {
        let smooth = |x: usize, y: usize| [x as u8, y as u8, 80];
        let what = |picture: Picture| picture.is_smooth_set().unwrap_err();
        assert_eq!(picture(smooth).is_smooth_set(), Ok(()));
        let few = picture(|x, _| [x as u8, 0, 80]);
        assert_eq!(what(few), "201 colours: one sample for each pixel");
        let bands = picture(|x, y| match y {
            0 => [x as u8 / 50, 0, 80],
            _ => smooth(x, y),
        });
        assert_eq!(what(bands), "4 colours along the upper edge: bands");
        let dark = picture(|x, y| {
            if x + y == 348 {
                [0, 0, 9]
            } else {
                smooth(x, y)
            }
        });
        assert_eq!(what(dark), "[0, 0, 9] at a corner, as dark as the set");
        let mut bright = picture(smooth);
        bright.bytes.fill(9);
        let (n, bytes) = (bright.bytes.len(), picture(smooth).bytes);
        bright.bytes[..n / 3].copy_from_slice(&bytes[..n / 3]);
        assert!(what(bright).ends_with("inside the set, which is not black"));
    }
}
