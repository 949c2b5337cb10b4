//! Writing SVG. Whatever text goes in cannot end the element that it stands in.

use std::fmt::{self, Display, Write};

/// A picture that is being written.
#[derive(Clone, Debug)]
pub struct Svg {
    body: String,
    width: f64,
    height: f64,
}

impl Svg {
    /// An empty one, of so many units.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Self {
        Svg {
            body: String::new(),
            width,
            height,
        }
    }

    /// An element with attributes and, where there is one, a tooltip.
    pub fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &dyn Display)],
        title: Option<&str>,
    ) {
        self.open(name, attributes);
        match title {
            Some(title) => {
                self.write(format_args!(
                    "><title>{}</title></{name}>\n",
                    escaped(title)
                ));
            }
            None => self.write(format_args!("/>\n")),
        }
    }

    /// Text at a place; `class` says how it looks, `anchor` which of its ends lies there. What would reach beyond
    /// an edge is moved to it, and what is wider than the picture loses its middle.
    pub fn text(&mut self, x: f64, y: f64, class: &str, anchor: &str, text: &str) {
        let text = fitted(text, class, self.width);
        let width = width_of(&text, class);
        let before = match anchor {
            "start" => 0.0,
            "middle" => 0.5 * width,
            _ => width,
        };
        let x = x.min(self.width - width + before).max(before);
        let (x, y) = (Short(x), Short(y));
        self.open(
            "text",
            &[
                ("x", &x),
                ("y", &y),
                ("class", &class),
                ("text-anchor", &anchor),
            ],
        );
        self.write(format_args!(">{}</text>\n", escaped(&text)));
    }

    /// Text along the left edge, from below to above.
    pub fn text_upwards(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let turn = format!("translate({} {}) rotate(-90)", Short(x), Short(y));
        self.open(
            "text",
            &[
                ("transform", &turn),
                ("class", &class),
                ("text-anchor", &"middle"),
            ],
        );
        self.write(format_args!(">{}</text>\n", escaped(text)));
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(Short);
        let attributes: [(&str, &dyn Display); 5] = [
            ("x1", &x1),
            ("y1", &y1),
            ("x2", &x2),
            ("y2", &y2),
            ("class", &class),
        ];
        self.element("line", &attributes, None);
    }

    /// A line through points.
    pub fn polyline(&mut self, points: &[(f64, f64)], class: &str) {
        let mut d = String::new();
        for (k, (x, y)) in points.iter().enumerate() {
            let letter = if k == 0 { 'M' } else { 'L' };
            // Writing to a string does not fail.
            let _ = write!(d, "{letter}{} {}", Short(*x), Short(*y));
        }
        if !d.is_empty() {
            self.element("path", &[("d", &d), ("class", &class)], None);
        }
    }

    /// A closed area.
    pub fn area(&mut self, points: &[(f64, f64)], class: &str) {
        let points: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{},{}", Short(*x), Short(*y)))
            .collect();
        self.element(
            "polygon",
            &[("points", &points.join(" ")), ("class", &class)],
            None,
        );
    }

    /// A dot with a tooltip.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, class: &str, title: &str) {
        let [x, y, r] = [at.0, at.1, radius].map(Short);
        let attributes: [(&str, &dyn Display); 4] =
            [("cx", &x), ("cy", &y), ("r", &r), ("class", &class)];
        self.element("circle", &attributes, Some(title));
    }

    /// A rectangle, with a tooltip where there is one.
    pub fn rect(&mut self, at: (f64, f64), size: (f64, f64), class: &str, title: Option<&str>) {
        let [x, y, width, height] = [at.0, at.1, size.0, size.1].map(Short);
        let attributes: [(&str, &dyn Display); 5] = [
            ("x", &x),
            ("y", &y),
            ("width", &width),
            ("height", &height),
            ("class", &class),
        ];
        self.element("rect", &attributes, title);
    }

    /// The whole picture. `label` is what it is called where it is not seen.
    #[must_use]
    pub fn finish(self, label: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" xmlns=\"http://www.w3.org/2000/svg\">\n{}</svg>\n",
            Short(self.width),
            Short(self.height),
            escaped(label),
            self.body
        )
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.write(format_args!("<{name}"));
        for (name, value) in attributes {
            self.write(format_args!(" {name}=\"{}\"", escaped(&value.to_string())));
        }
    }

    fn write(&mut self, text: fmt::Arguments) {
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(text);
    }
}

/// About how wide text is: fonts differ, and few are wider.
#[must_use]
pub fn width_of(text: &str, class: &str) -> f64 {
    // As style.css says.
    let size = match class {
        "in-span" => 10.0,
        "note" => 11.5,
        _ => 12.5,
    };
    0.62 * size * text.chars().count() as f64
}

/// As much of a text as has room, without its middle: the end often says most.
#[must_use]
pub fn fitted(text: &str, class: &str, room: f64) -> String {
    let chars: Vec<char> = text.chars().collect();
    let most = (room / width_of("x", class)).max(3.0) as usize;
    if chars.len() <= most {
        return text.into();
    }
    let first = (most - 1) / 2;
    let last = &chars[chars.len() - (most - 1 - first)..];
    chars[..first].iter().chain(&['…']).chain(last).collect()
}

/// A coordinate with two digits, and never one that is no number.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.0.is_finite() {
            self.0.clamp(-1e6, 1e6)
        } else {
            0.0
        };
        // Adding zero makes -0 0.
        let rounded = (value * 100.0).round() / 100.0 + 0.0;
        write!(f, "{rounded}")
    }
}

/// `text` as it may stand in HTML and SVG, in attributes as well.
///
/// ```
/// use tuner::report::svg::escaped;
///
/// assert_eq!(escaped("</script>&\"'"), "&lt;/script&gt;&amp;&quot;&#39;");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        let shown = [1.0, 1.2345, -0.001, f64::NAN, f64::INFINITY].map(|v| Short(v).to_string());
        assert_eq!(shown, ["1", "1.23", "0", "0", "0"]);
    }

    #[test]
    fn text_stays_within_the_picture() {
        let mut svg = Svg::new(100.0, 10.0);
        svg.text(1.0, 5.0, "note", "end", "four");
        svg.text(99.0, 5.0, "note", "middle", "four");
        svg.text(50.0, 5.0, "note", "start", &"long ".repeat(100));
        let text = svg.finish("");
        let half = 0.5 * width_of("four", "note");
        for x in [2.0 * half, 100.0 - half] {
            assert!(
                text.contains(&format!("<text x=\"{}\"", Short(x))),
                "{text}"
            );
        }
        assert!(text.contains(">long l…g long </text>"), "{text}");
    }

    #[test]
    fn tooltips_cannot_end_their_element() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.dot((1.0, 2.0), 3.0, "s0", "</title><script>alert(1)</script>");
        let text = svg.finish("a \"picture\"");
        assert!(
            !text.contains("<script>") && text.contains("&lt;script&gt;"),
            "{text}"
        );
        assert!(text.contains("aria-label=\"a &quot;picture&quot;\""));
    }
}
