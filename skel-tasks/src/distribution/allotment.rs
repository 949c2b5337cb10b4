//! What a distribution says of a step.

use crate::BadOption;
use std::ops::Range;

/// Which unit takes which items of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allotment {
    /// Each unit has its own items, by unit, and takes them in this order.
    Own(Vec<Vec<usize>>),
    /// A unit that has nothing to do takes the next so many items.
    Claims {
        /// How many at once.
        chunk: usize,
    },
}

impl Allotment {
    /// Neighbouring items, by unit.
    pub(super) fn of_ranges(ranges: &[Range<usize>]) -> Allotment {
        Allotment::Own(ranges.iter().map(|range| range.clone().collect()).collect())
    }

    /// Whether it is for so many units and gives each item once.
    ///
    /// # Errors
    /// [`BadOption`] with what is wrong: a scheme of one's own may be.
    pub(crate) fn check(&self, units: usize, items: usize) -> Result<(), BadOption> {
        let bad = |found: String, expected: &str| Err(BadOption::new("allotment", found, expected));
        let own = match self {
            Allotment::Claims { chunk: 0 } => {
                return bad("claims of no items".into(), "claims of 1 or more");
            }
            Allotment::Claims { .. } => return Ok(()),
            Allotment::Own(own) => own,
        };
        if own.len() != units {
            return bad(format!("for {} units", own.len()), "one list for each unit");
        }
        let mut given = vec![false; items];
        for item in own.iter().flatten() {
            match given.get_mut(*item) {
                None => return bad(format!("item {item} of {items}"), "items that there are"),
                Some(true) => return bad(format!("item {item} twice"), "each item once"),
                Some(given) => *given = true,
            }
        }
        match given.iter().position(|given| !given) {
            None => Ok(()),
            Some(item) => bad(format!("without item {item}"), "each item once"),
        }
    }
}
