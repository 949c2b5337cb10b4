//! Options of schedulers and of tasks that cannot be.

use skel::{Error, Target, prelude::*};

#[test]
fn no_chunks_at_all_is_an_error_that_says_so() {
    let error = "tasks:eager,merge=0".parse::<Target>().unwrap_err();
    assert!(error.to_string().contains("merge"), "{error}");
    let double = map!(|x: u32| 2 * x).on(Tasks::default().merge(0));
    for elems in [10, 0] {
        let refused = double.run((&vec![1_u32; elems],)).map(drop);
        assert!(matches!(refused, Err(Error::BadOption(bad)) if bad.option == "merge"));
    }
}

/// Scans are computed by cores alone, which is no reason to take what the scheduler would take nowhere.
#[test]
fn what_a_scheduler_refuses_is_refused_for_scans_too() {
    let target: Target = "tasks:dmda,alpha=-1".parse().unwrap();
    let x = Vector::from([1_u32, 2, 3]);
    let doubled = map!(|x: u32| 2 * x).on(&target).run((&x,)).map(drop);
    let sums = scan!(|a: u32, b: u32| a + b)
        .on(&target)
        .run((&x,))
        .map(drop);
    for refused in [doubled, sums] {
        assert!(matches!(refused, Err(Error::BadOption(bad)) if bad.option == "alpha"));
    }
}
