//! From values to places on an axis, and the values that are written beside it.

use crate::show;

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart.
    Log,
}

/// What an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Elements of a call.
    Elems,
    /// Nanoseconds.
    Ns,
    /// Parts of one, in percent.
    Share,
    /// Relative deviations, in percent and with their sign.
    Deviation,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What stands beside it.
    pub label: String,
    /// What it counts.
    pub quantity: Quantity,
    spread: Spread,
    low: f64,
    high: f64,
}

impl Axis {
    /// An axis that shows all `values`; those that are no numbers, or not positive ones where
    /// logarithms are needed, are left out.
    pub fn over(
        label: &str,
        quantity: Quantity,
        spread: Spread,
        values: impl IntoIterator<Item = f64>,
    ) -> Axis {
        // A file may say anything; beyond these, the ratio of two would be no number.
        let usable = |v: &f64| match spread {
            Spread::Linear => v.is_finite(),
            Spread::Log => (1e-30..=1e30).contains(v),
        };
        let values = values.into_iter().filter(usable);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        // Nothing at all is shown as something.
        let (low, high) = if low <= high { (low, high) } else { (1.0, 2.0) };
        let (low, high) = match spread {
            Spread::Log => widen_log(low, high),
            Spread::Linear => widen(low, high),
        };
        Axis {
            label: label.into(),
            quantity,
            spread,
            low,
            high,
        }
    }

    /// A linear axis from `low` to `high`.
    #[must_use]
    pub fn fixed(label: &str, quantity: Quantity, low: f64, high: f64) -> Axis {
        Axis {
            label: label.into(),
            quantity,
            spread: Spread::Linear,
            low,
            high,
        }
    }

    /// The same axis, from zero on.
    #[must_use]
    pub fn from_zero(mut self) -> Axis {
        if self.spread == Spread::Linear {
            self.low = 0.0;
        }
        self
    }

    /// Where a value lies: from 0, at the beginning, to 1. Beyond, if it does not lie on the axis.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        match self.spread {
            Spread::Linear => (value - self.low) / (self.high - self.low),
            Spread::Log => {
                let value = value.max(f64::MIN_POSITIVE);
                (value / self.low).ln() / (self.high / self.low).ln()
            }
        }
    }

    /// The value at a place.
    #[must_use]
    pub fn value(&self, place: f64) -> f64 {
        match self.spread {
            Spread::Linear => self.low + place * (self.high - self.low),
            Spread::Log => self.low * (self.high / self.low).powf(place),
        }
    }

    /// Values to write beside it, about `wanted` of them at most.
    #[must_use]
    pub fn ticks(&self, wanted: usize) -> Vec<f64> {
        match (self.spread, self.quantity) {
            (Spread::Linear, _) => linear_ticks(self.low, self.high, wanted),
            (Spread::Log, Quantity::Elems) => log_ticks(self.low, self.high, wanted, 2.0),
            (Spread::Log, _) => {
                let decades = log_ticks(self.low, self.high, wanted, 10.0);
                match decades.len() {
                    0..=2 => one_two_five(self.low, self.high),
                    _ => decades,
                }
            }
        }
    }

    /// A value, as it is written.
    #[must_use]
    pub fn show(&self, value: f64) -> String {
        match self.quantity {
            Quantity::Elems => show::elems(value.round() as usize),
            Quantity::Ns => short_ns(value),
            Quantity::Share => show::percent(value),
            Quantity::Deviation if value == 0.0 => "0 %".into(),
            Quantity::Deviation => format!("{:+} %", (1000.0 * value).round() / 10.0),
        }
    }
}

/// A time without zeros at its end.
fn short_ns(ns: f64) -> String {
    if ns == 0.0 {
        return "0".into();
    }
    let text = show::ns(ns);
    match text.split_once(' ') {
        Some((digits, unit)) if digits.contains('.') => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits} {unit}")
        }
        _ => text,
    }
}

fn widen(low: f64, high: f64) -> (f64, f64) {
    let room = 0.06 * (high - low);
    match room > 0.0 {
        true => (low - room, high + room),
        false => (
            low - 0.5 * low.abs().max(1.0),
            high + 0.5 * high.abs().max(1.0),
        ),
    }
}

fn widen_log(low: f64, high: f64) -> (f64, f64) {
    let room = (high / low).powf(0.05).max(1.15);
    (low / room, high * room)
}

fn linear_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|s| s * power);
    let step = steps
        .into_iter()
        .find(|s| *s >= 0.999 * rough)
        .unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).take(100).map(|k| k as f64 * step).collect()
}

fn log_ticks(low: f64, high: f64, wanted: usize, base: f64) -> Vec<f64> {
    let first = (low.ln() / base.ln() - 1e-9).ceil() as i32;
    let last = (high.ln() / base.ln() + 1e-9).floor() as i32;
    if last < first {
        return Vec::new();
    }
    let step = (last - first) as usize / wanted.max(1) + 1;
    let powers = (first..=last).filter(|k| k.rem_euclid(step as i32) == 0);
    powers.map(|k| base.powi(k)).collect()
}

fn one_two_five(low: f64, high: f64) -> Vec<f64> {
    let first = low.log10().floor() as i32;
    let last = high.log10().ceil() as i32;
    let all = (first..=last).flat_map(|k| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(k)));
    all.filter(|v| (low..=high).contains(v)).collect()
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn places_and_values_are_inverse() {
        for spread in [Spread::Linear, Spread::Log] {
            let axis = Axis::over("n", Quantity::Elems, spread, [3.0, 5000.0]);
            for value in [3.0, 70.0, 5000.0] {
                let place = axis.place(value);
                assert!((0.0..=1.0).contains(&place));
                assert!((axis.value(place) / value - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        let axis = Axis::over("n", Quantity::Elems, Spread::Log, [1024.0, 16_777_216.0]);
        let shown: Vec<String> = axis.ticks(7).iter().map(|t| axis.show(*t)).collect();
        assert_eq!(shown, ["4 Ki", "32 Ki", "256 Ki", "2 Mi", "16 Mi"]);
        let axis = Axis::over("t", Quantity::Ns, Spread::Log, [150.0, 2e6]);
        let shown: Vec<String> = axis.ticks(8).iter().map(|t| axis.show(*t)).collect();
        assert_eq!(shown, ["100 ns", "1 µs", "10 µs", "100 µs", "1 ms"]);
        let axis = Axis::fixed("share", Quantity::Share, 0.0, 1.0);
        let shown: Vec<String> = axis.ticks(5).iter().map(|t| axis.show(*t)).collect();
        assert_eq!(shown, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    }

    #[test]
    fn nothing_and_the_same_value_twice_are_shown() {
        for spread in [Spread::Linear, Spread::Log] {
            for values in [
                vec![],
                vec![7.0, 7.0],
                vec![0.0],
                vec![f64::NAN, f64::INFINITY, -1.0],
            ] {
                let axis = Axis::over("n", Quantity::Ns, spread, values.clone());
                assert!(axis.place(1.0).is_finite(), "{values:?}");
                assert!(axis.ticks(5).len() < 100, "{values:?}");
            }
        }
    }

    #[test]
    fn values_of_any_size_make_an_axis() {
        for values in [[1e-300, 1e18], [f64::MIN_POSITIVE, f64::MAX], [1e-30, 1e30]] {
            let axis = Axis::over("", Quantity::Ns, Spread::Log, values);
            assert!(axis.ticks(5).len() < 100);
            assert!(axis.place(1e18).is_finite());
        }
    }
}
