//! From what length on tasks pay.

use crate::{
    book::Book,
    contender::{Batch, Beside, Contender, Effort, rounds},
    load,
    plain::{Loop, Rayon, workers},
    pool::Pool,
    skeletons::Skel,
    starpu::{Program, SCHEDULERS, StarPu},
};

/// As tables name it.
pub(crate) const PART: &str = "grain";

/// What others are compared with.
const LOOP: &str = "plain loop";
const STATIC: &str = "static threads";

/// Lengths of tasks; those below a microsecond are there to find where half the time is lost.
const GRAINS_US: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 16.0, 64.0, 256.0];

pub(crate) fn measure(
    book: &mut Book,
    effort: Effort,
    starpu: Option<&Program>,
    only: &str,
) -> Result<(), String> {
    let rounds_per_us = load::rounds_per_us();
    let batches = GRAINS_US.map(|grain_us| Batch {
        // As many for each worker: the last one has no company otherwise.
        tasks: ((effort.work_us as f64 / grain_us) as usize)
            .min(effort.tasks)
            .next_multiple_of(workers()),
        rounds: (grain_us * rounds_per_us) as u64,
    });
    book.note(format!(
        "{rounds_per_us:.0} rounds of arithmetic take a microsecond"
    ));
    let mut contenders: Vec<Box<dyn Contender + '_>> =
        vec![Box::new(Loop), Box::new(Pool::new(true)?)];
    contenders.extend(Skel::all()?);
    contenders.push(Box::new(Rayon));
    if let Some(program) = starpu {
        contenders
            .extend(SCHEDULERS.map(|scheduler| -> Box<dyn Contender> {
                Box::new(StarPu { program, scheduler })
            }));
    }
    contenders.retain(|contender| contender.name().contains(only));
    rounds(book, PART, &mut contenders, &effort, |contender| {
        let mut samples = contender.grain(&batches)?;
        for (sample, grain_us) in samples.iter_mut().zip(GRAINS_US) {
            sample.what = name(grain_us);
        }
        Ok(samples)
    })
}

/// How well the time of a contender is used at a length of tasks. Where nothing else runs, 1 is the plain loop's time
/// divided by the workers; beside busy loops, what threads take that divide the work once: a loop's share of the
/// machine would say little.
pub(crate) fn efficiency(book: &Book, beside: Beside, contender: &str, what: &str) -> Option<f64> {
    let of = |contender| book.median_s((PART, beside), contender, what);
    let best_s = match beside {
        Beside::Nothing => of(LOOP)? / workers() as f64,
        Beside::BusyLoops => of(STATIC)?,
    };
    Some(best_s / of(contender)?)
}

/// The shortest tasks, in microseconds, whose efficiency is one half or more, between those that were measured; and
/// whether they may be shorter.
fn least_grain_us(book: &Book, contender: &str) -> Option<(f64, bool)> {
    let of = |grain_us: f64| efficiency(book, Beside::Nothing, contender, &name(grain_us));
    if of(GRAINS_US[0])? >= 0.5 {
        return Some((GRAINS_US[0], true));
    }
    GRAINS_US.windows(2).find_map(|two| {
        let (below, above) = (of(two[0])?, of(two[1])?);
        let part = (0.5 - below) / (above - below);
        (above >= 0.5).then(|| (two[0] * (two[1] / two[0]).powf(part), false))
    })
}

fn name(grain_us: f64) -> String {
    format!("{grain_us} µs")
}

pub(crate) fn tables(book: &Book) -> String {
    const METG: &str = "50 % from";
    let mut text = String::new();
    for beside in Beside::ALL {
        let section = (PART, beside);
        let mut columns = book.whats(section);
        if columns.is_empty() {
            continue;
        }
        let of = match beside {
            Beside::Nothing => "the plain loop's time divided by the workers",
            Beside::BusyLoops => "the time of static threads beside the same loops",
        };
        if beside == Beside::Nothing {
            columns.push(METG.into());
        }
        let table = book.table(section, &columns, |contender, what| {
            if what == METG {
                let (grain_us, or_less) = least_grain_us(book, contender)?;
                let less = if or_less { "≤ " } else { "" };
                return Some(format!("{less}{grain_us:.2} µs"));
            }
            let percent = 100.0 * efficiency(book, beside, contender, what)?;
            Some(format!("{percent:.0} %"))
        });
        text += &format!(
            "Efficiency by the length of tasks ({}): {of} is 100 %\n\n{}\n",
            beside.name(),
            table.markdown()
        );
    }
    text
}
