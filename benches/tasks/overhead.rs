//! What empty tasks cost.

use crate::{
    book::Book,
    contender::{Beside, Contender, Effort, rounds},
    plain::Rayon,
    pool::Pool,
    skeletons::Skel,
    starpu::{Program, SCHEDULERS, StarPu},
};

/// As tables name it.
pub(crate) const PART: &str = "overhead";

pub(crate) fn measure(
    book: &mut Book,
    effort: Effort,
    starpu: Option<&Program>,
    only: &str,
) -> Result<(), String> {
    let mut contenders: Vec<Box<dyn Contender + '_>> = Vec::new();
    contenders.extend(Skel::all()?);
    contenders.push(Box::new(Rayon));
    contenders.push(Box::new(Pool::new(false)?));
    if let Some(program) = starpu {
        contenders
            .extend(SCHEDULERS.map(|scheduler| -> Box<dyn Contender> {
                Box::new(StarPu { program, scheduler })
            }));
    }
    contenders.retain(|contender| contender.name().contains(only));
    rounds(book, PART, &mut contenders, &effort, |contender| {
        contender.overhead(&effort)
    })
}

/// As the names of samples begin.
const TRIP: &str = "submit and wait";

pub(crate) fn tables(book: &Book) -> String {
    let mut text = String::new();
    for beside in Beside::ALL {
        let section = (PART, beside);
        let (trips, tasks): (Vec<String>, _) = book
            .whats(section)
            .into_iter()
            .partition(|what| what.starts_with(TRIP));
        if tasks.is_empty() {
            continue;
        }
        text += &format!(
            "Time for each of many empty tasks ({}); with so many handles, which all tasks read or take turns to \
             update\n\n{}\n",
            beside.name(),
            book.times(section, &tasks).markdown()
        );
        text += &format!(
            "One empty task at a time ({})\n\n{}\n",
            beside.name(),
            book.times(section, &trips).markdown()
        );
    }
    text
}

/// What a further handle costs a task that reads it, and one that updates it: between one and eight.
pub(crate) fn per_handle_s(book: &Book, beside: Beside, contender: &str) -> [Option<f64>; 2] {
    let of = |what: String| book.median_s((PART, beside), contender, &what);
    ["reads", "updates"].map(|mode| {
        let (one_s, eight_s) = (of(format!("{mode} 1"))?, of(format!("{mode} 8"))?);
        Some((eight_s - one_s) / 7.0)
    })
}
