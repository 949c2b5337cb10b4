//! One unit does all.

use crate::policy::{Assignment, Policy, Question};

/// The first unit takes everything.
#[derive(Clone, Copy, Debug)]
pub struct Single;

impl Policy for Single {
    fn assign(&self, question: &Question<'_>) -> Assignment {
        question.by_sizes([question.elems])
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::policy::Candidate;

    #[test]
    fn the_first_takes_all() {
        let units = [2, 0].map(Candidate::unknown);
        let pieces = |elems| {
            Single
                .assign(&Question {
                    elems,
                    units: &units,
                })
                .pieces
        };
        assert_eq!(pieces(7), [(2, 0..7)]);
        assert_eq!(pieces(0), []);
    }
}
