//! 8-bit pictures as PNG files.

use super::{Failure, Result};
use skel::CallReport;
use std::{
    fs::File,
    io::{BufReader, BufWriter},
    path::Path,
};

/// Rows of pixels, each of `channels` bytes.
pub(crate) struct Image {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) channels: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Image {
    /// A picture of three bytes per pixel.
    pub(crate) fn rgb(width: usize, height: usize, bytes: Vec<u8>) -> Self {
        let channels = 3;
        Image {
            width,
            height,
            channels,
            bytes,
        }
    }

    /// A picture of one byte per pixel.
    pub(crate) fn grey(width: usize, height: usize, bytes: Vec<u8>) -> Self {
        let channels = 1;
        Image {
            width,
            height,
            channels,
            bytes,
        }
    }

    /// Reads a PNG file in shades of grey; others are refused.
    pub(crate) fn read_grey(path: &Path) -> Result<Self> {
        match Self::read(path)? {
            image if image.channels == 1 => Ok(image),
            _ => Err(Failure::file(path, "not a picture in shades of grey")),
        }
    }

    /// Draws a red line between the units' parts of a call that computed one element per pixel.
    pub(crate) fn draw_split(&mut self, call: &CallReport) {
        self.make_coloured();
        let row = self.width * self.channels;
        let starts = call.parts.iter().filter(|part| !part.range.is_empty());
        for start in starts
            .map(|part| part.range.start)
            .filter(|start| *start > 0)
        {
            let first = start * self.channels;
            let end = (first + row).min(self.bytes.len());
            for pixel in self.bytes[first.saturating_sub(row)..end].chunks_mut(self.channels) {
                pixel[..3].copy_from_slice(&[255, 0, 0]);
            }
        }
    }

    /// From shades of grey to colours.
    fn make_coloured(&mut self) {
        if self.channels == 1 {
            self.bytes = self.bytes.iter().flat_map(|grey| [*grey; 3]).collect();
            self.channels = 3;
        }
    }

    /// This picture, and one of the same height to its right.
    pub(crate) fn beside(mut self, mut right: Image) -> Image {
        if self.channels != right.channels {
            self.make_coloured();
            right.make_coloured();
        }
        let row = |image: &Image| image.width * image.channels;
        let lefts = self.bytes.chunks(row(&self));
        let rights = right.bytes.chunks(row(&right));
        let bytes = lefts
            .zip(rights)
            .flat_map(|(a, b)| [a, b].concat())
            .collect();
        Image {
            width: self.width + right.width,
            bytes,
            ..self
        }
    }

    /// Each pixel as a square of `k` × `k`.
    pub(crate) fn enlarged(self, k: usize) -> Image {
        let tall = |row: &[u8]| {
            let pixels = row.chunks(self.channels);
            pixels
                .flat_map(|pixel| pixel.repeat(k))
                .collect::<Vec<u8>>()
                .repeat(k)
        };
        let rows = self.bytes.chunks(self.width * self.channels);
        let bytes = rows.flat_map(tall).collect();
        Image {
            width: k * self.width,
            height: k * self.height,
            bytes,
            ..self
        }
    }

    /// Reads a PNG file. Palettes become colours, 16 bits become 8.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bad =
            |error: png::DecodingError| Failure::file(path, format!("not a PNG image: {error}"));
        let file = File::open(path).map_err(|e| Failure::file(path, e))?;
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(bad)?;
        let size = reader
            .output_buffer_size()
            .ok_or_else(|| Failure::file(path, "larger than the memory"))?;
        let mut bytes = super::room(size)?;
        bytes.resize(size, 0);
        let frame = reader.next_frame(&mut bytes).map_err(bad)?;
        bytes.truncate(frame.buffer_size());
        Ok(Image {
            width: frame.width as usize,
            height: frame.height as usize,
            channels: frame.color_type.samples(),
            bytes,
        })
    }

    /// Writes a PNG file.
    pub(crate) fn write(&self, path: &Path) -> Result {
        let bad = |error: png::EncodingError| Failure::file(path, error);
        let file = File::create(path).map_err(|e| Failure::file(path, e))?;
        let side = |n: usize| {
            u32::try_from(n).map_err(|_| Failure::file(path, format!("{n} is too large")))
        };
        let mut encoder =
            png::Encoder::new(BufWriter::new(file), side(self.width)?, side(self.height)?);
        encoder.set_color(match self.channels {
            1 => png::ColorType::Grayscale,
            2 => png::ColorType::GrayscaleAlpha,
            3 => png::ColorType::Rgb,
            _ => png::ColorType::Rgba,
        });
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(bad)?;
        writer.write_image_data(&self.bytes).map_err(bad)?;
        writer.finish().map_err(bad)
    }
}
