//! Tables, as text and as Markdown.

use std::fmt::Write;

/// A table of strings. The first column is left-aligned, the others are numbers.
#[derive(Clone, Debug, Default)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// No rows yet.
    #[must_use]
    pub fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Table {
            header: header.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not as many fields as the header.
    pub fn row(&mut self, fields: impl IntoIterator<Item = String>) {
        let fields: Vec<String> = fields.into_iter().collect();
        assert_eq!(fields.len(), self.header.len(), "a row of another table");
        self.rows.push(fields);
    }

    /// Whether it has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Aligned columns.
    #[must_use]
    pub fn text(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            let mut line = String::new();
            for (k, (field, width)) in row.iter().zip(&widths).enumerate() {
                let width = *width;
                let _ = if k == 0 {
                    write!(line, "{field:<width$}")
                } else {
                    write!(line, "  {field:>width$}")
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// A table for a README.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |fields: &[String]| format!("| {} |\n", fields.join(" | "));
        let rule: Vec<String> = (0..self.header.len())
            .map(|k| if k == 0 { "---" } else { "---:" }.into())
            .collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        line(&self.header) + &line(&rule) + &rows
    }

    fn widths(&self) -> Vec<usize> {
        let width = |k: usize| {
            let column = std::iter::once(&self.header)
                .chain(&self.rows)
                .map(|row| &row[k]);
            column.map(|field| field.chars().count()).max().unwrap_or(0)
        };
        (0..self.header.len()).map(width).collect()
    }
}

/// A time in the unit that suits it, with three digits.
#[must_use]
pub fn time(seconds: f64) -> String {
    let (scale, unit) = match seconds {
        s if s < 0.999_5e-6 => (1e9, "ns"),
        s if s < 0.999_5e-3 => (1e6, "µs"),
        s if s < 0.999_5 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    let value = seconds * scale;
    let digits = match value.abs() {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// 10^k where it is one.
#[must_use]
pub fn count(n: usize) -> String {
    let power = n
        .checked_ilog10()
        .filter(|k| 10_usize.pow(*k) == n && *k > 1);
    power.map_or_else(|| n.to_string(), |k| format!("10^{k}"))
}

#[cfg(test)]
mod test {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["n", "time"]);
        table.row(["10^3".into(), time(1.5e-6)]);
        table.row(["7".into(), time(0.25)]);
        table
    }

    #[test]
    fn text_is_aligned_by_characters() {
        assert_eq!(
            table().text(),
            "n        time\n10^3  1.50 µs\n7      250 ms\n"
        );
    }

    #[test]
    fn markdown_aligns_numbers_to_the_right() {
        assert_eq!(
            table().markdown(),
            "| n | time |\n| --- | ---: |\n| 10^3 | 1.50 µs |\n| 7 | 250 ms |\n"
        );
    }

    #[test]
    fn times_keep_three_digits() {
        let times = [3.2e-9, 9.999e-6, 0.999_9e-3, 12.345].map(time);
        assert_eq!(times, ["3.20 ns", "10.0 µs", "1.00 ms", "12.3 s"]);
    }

    #[test]
    fn only_powers_of_ten_are_abbreviated() {
        assert_eq!([1, 10, 1000, 1024].map(count), ["1", "10", "10^3", "1024"]);
    }
}
