//! A call on the CPU, from values to values.

use skel::prelude::*;
use skel_core::{Element, ir::Value};

/// What a call gave, element by element.
pub(super) trait Results {
    fn per_element(&self) -> Vec<Vec<Value>>;
}

impl<T: Element> Results for Vector<T> {
    fn per_element(&self) -> Vec<Vec<Value>> {
        let all = self.host().unwrap();
        all.iter().map(|x| vec![Element::to_value(*x)]).collect()
    }
}

macro_rules! results {
    ($(($first:ident $f:tt $($part:ident $i:tt)*))*) => { $(
        impl<$first: Results, $($part: Results),*> Results for ($first, $($part,)*) {
            fn per_element(&self) -> Vec<Vec<Value>> {
                let mut all = self.$f.per_element();
                $(
                    for (row, more) in all.iter_mut().zip(self.$i.per_element()) {
                        row.extend(more);
                    }
                )*
                all
            }
        }
    )* };
}
results!((A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3));

/// Argument `k` of all elements.
pub(super) fn column<T: Element>(inputs: &[Vec<Value>], k: usize) -> Vec<T> {
    let values = inputs.iter().map(|args| T::from_value(&args[k]).unwrap());
    values.collect()
}
