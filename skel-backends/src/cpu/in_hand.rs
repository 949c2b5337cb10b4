//! Which shared work a thread has a piece of in hand.

use std::cell::RefCell;

thread_local! {
    /// By address.
    static IN_HAND: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// A call as tasks, whose workers wait for each other, is in this thread's hands.
pub(crate) struct InHand;

impl InHand {
    /// Unless it has one already: of this work, or, if it only helps, of any. A user function that lets the pool work
    /// meanwhile may be sent to the same work again, and would wait for what is beneath it; two that help each other
    /// with a piece in hand would wait for each other; one that makes a call of its own has to.
    pub(crate) fn new(address: usize, is_caller: bool) -> Option<InHand> {
        IN_HAND.with_borrow_mut(|all| {
            let free = match is_caller {
                true => !all.contains(&address),
                false => all.is_empty(),
            };
            if free {
                all.push(address);
            }
            // Made only if it is free: what is dropped here would find the list in use, and the wrong end of it.
            free.then(|| InHand)
        })
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        IN_HAND.with_borrow_mut(Vec::pop);
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn with_a_piece_in_hand_a_thread_helps_no_other_work_and_makes_its_own() {
        let helping = InHand::new(1, false);
        assert!(helping.is_some());
        assert!(InHand::new(1, false).is_none() && InHand::new(2, false).is_none());
        let own = InHand::new(2, true);
        assert!(own.is_some() && InHand::new(2, true).is_none());
        drop((own, helping));
        assert!(InHand::new(2, false).is_some());
    }
}
