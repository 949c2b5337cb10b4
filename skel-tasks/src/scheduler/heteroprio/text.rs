//! [`Buckets`] as text: `kinds=0:0/1:1,order=cpu:0+1/gpu:1+0,best=1:gpu,slow=1:cpu:2`.

use super::Buckets;
use crate::{BadOption, KindId, options::Options};
use std::{
    fmt::{Display, Write},
    str::FromStr,
};

/// `item/item/…`.
struct List<T>(Vec<T>);

/// `first:second`.
struct Pair<A, B>(A, B);

/// `0+1+…`.
struct Sum(Vec<usize>);

impl<T: FromStr> FromStr for List<T> {
    type Err = ();

    fn from_str(text: &str) -> Result<List<T>, ()> {
        let items = text.split('/').map(|item| item.trim().parse().ok());
        items.collect::<Option<_>>().map(List).ok_or(())
    }
}

impl<A: FromStr, B: FromStr> FromStr for Pair<A, B> {
    type Err = ();

    fn from_str(text: &str) -> Result<Pair<A, B>, ()> {
        let (first, second) = text.split_once(':').ok_or(())?;
        let read = |first: &str, second: &str| {
            Some(Pair(
                first.trim().parse().ok()?,
                second.trim().parse().ok()?,
            ))
        };
        read(first, second).ok_or(())
    }
}

impl FromStr for Sum {
    type Err = ();

    fn from_str(text: &str) -> Result<Sum, ()> {
        let numbers = text.split('+').map(|number| number.trim().parse().ok());
        numbers.collect::<Option<_>>().map(Sum).ok_or(())
    }
}

fn list<T: FromStr>(
    options: &mut Options<'_>,
    name: &'static str,
    item: &str,
) -> Result<Vec<T>, BadOption> {
    let expected = format!("{item}, separated by /");
    Ok(options.take(name, &expected, List(Vec::new()))?.0)
}

impl Buckets {
    pub(in crate::scheduler) fn take(options: &mut Options<'_>) -> Result<Buckets, BadOption> {
        let kinds: Vec<Pair<u32, usize>> = list(options, "kinds", "KIND:BUCKET by numbers")?;
        let orders: Vec<Pair<String, Sum>> = list(options, "order", "ARCH:BUCKET+BUCKET")?;
        let best: Vec<Pair<usize, String>> = list(options, "best", "BUCKET:ARCH")?;
        let slow: Vec<Pair<usize, Pair<String, f64>>> =
            list(options, "slow", "BUCKET:ARCH:FACTOR")?;
        Ok(Buckets {
            kinds: kinds.into_iter().map(|of| (KindId(of.0), of.1)).collect(),
            orders: orders.into_iter().map(|of| (of.0, of.1.0)).collect(),
            best: best.into_iter().map(|of| (of.0, of.1)).collect(),
            slow: slow.into_iter().map(|of| (of.0, of.1.0, of.1.1)).collect(),
        })
    }

    /// Adds `,option=value` for all that is said.
    pub(crate) fn show(&self, text: &mut String) {
        let kinds = self.kinds.iter().map(|of| format!("{}:{}", of.0.0, of.1));
        show(text, "kinds", '/', kinds);
        let orders = self.orders.iter().map(|(arch, order)| {
            let mut buckets = String::new();
            join(&mut buckets, '+', order.iter());
            format!("{arch}:{buckets}")
        });
        show(text, "order", '/', orders);
        let best = self.best.iter().map(|of| format!("{}:{}", of.0, of.1));
        show(text, "best", '/', best);
        let slow = self.slow.iter();
        let slow = slow.map(|of| format!("{}:{}:{}", of.0, of.1, of.2));
        show(text, "slow", '/', slow);
    }
}

/// Adds `,option=value` with the items as its value, if there are any.
pub(crate) fn show<T: Display>(
    text: &mut String,
    option: &str,
    separator: char,
    items: impl ExactSizeIterator<Item = T>,
) {
    if items.len() > 0 {
        let _ = write!(text, ",{option}=");
        join(text, separator, items);
    }
}

fn join<T: Display>(text: &mut String, separator: char, items: impl Iterator<Item = T>) {
    for (k, item) in items.enumerate() {
        if k > 0 {
            text.push(separator);
        }
        let _ = write!(text, "{item}");
    }
}
