//! Options that are numbers, or two of them.

use std::str::FromStr;

/// `WIDTHxHEIGHT` of a picture.
pub(crate) fn size(text: &str) -> Result<(usize, usize), String> {
    // 2^28 pixels are a gigabyte of counts.
    pair(text, 'x')
        .filter(|(w, h): &(usize, usize)| *w > 0 && *h > 0 && w.saturating_mul(*h) <= 1 << 28)
        .ok_or_else(|| "expected WIDTHxHEIGHT, at most 2^28 pixels".into())
}

/// `X,Y`.
pub(crate) fn point(text: &str) -> Result<(f32, f32), String> {
    pair(text, ',')
        .filter(|(x, y): &(f32, f32)| x.is_finite() && y.is_finite())
        .ok_or_else(|| "expected X,Y".into())
}

/// A finite number above 0.
pub(crate) fn factor(text: &str) -> Result<f32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|f: &f32| f.is_finite() && *f > 0.0);
    number.ok_or_else(|| "expected a number above 0".into())
}

/// A finite number, of either sign.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite());
    number.ok_or_else(|| "expected a finite number".into())
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|f: &f32| (0.0..=1.0).contains(f));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

fn pair<T: FromStr>(text: &str, between: char) -> Option<(T, T)> {
    let (a, b) = text.split_once(between)?;
    Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
}
