//! How large items are.

use crate::BadOption;

/// How large each item is, in any unit that time is roughly proportional to: points of a zone, say. All are above 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes(Vec<f64>);

impl Sizes {
    /// # Errors
    /// [`BadOption`] with the number of the first item whose size is 0, negative, infinite or not a number, or where the
    /// sum of all is not finite.
    ///
    /// ```
    /// use skel_tasks::distribution::Sizes;
    ///
    /// assert_eq!(Sizes::new([36.0, 66.0])?.len(), 2);
    /// let error = Sizes::new([36.0, f64::NAN]).unwrap_err().to_string();
    /// assert_eq!(error, "`size of item 1` is `NaN`; expected a finite number above 0");
    /// # Ok::<(), skel_tasks::BadOption>(())
    /// ```
    pub fn new(sizes: impl IntoIterator<Item = f64>) -> Result<Sizes, BadOption> {
        const EXPECTED: &str = "a finite number above 0";
        let sizes: Vec<f64> = sizes.into_iter().collect();
        let bad = |size: &f64| !(size.is_finite() && *size > 0.0);
        if let Some(item) = sizes.iter().position(bad) {
            let option = format!("size of item {item}");
            return Err(BadOption::new(&option, sizes[item], EXPECTED));
        }
        let total: f64 = sizes.iter().sum();
        match total.is_finite() {
            true => Ok(Sizes(sizes)),
            false => Err(BadOption::new("sum of all sizes", total, "a finite number")),
        }
    }

    /// Items that are alike.
    #[must_use]
    pub fn equal(items: usize) -> Sizes {
        Sizes(vec![1.0; items])
    }

    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The size of an item.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn get(&self, item: usize) -> f64 {
        self.0[item]
    }

    /// All of them, in the order of items.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }
}
