//! `cargo tune oracle`: how far predictions are from the best that there is.

use crate::{
    Table, cargo,
    cargo::Selection,
    command::{
        messages::{Messages, finite},
        run::{
            child::{Ended, Mode},
            no_handshake, now_unix_s,
            options::{Measure, Show},
            resume,
            session::Session,
            verdict,
        },
        software,
    },
    exit::{Exit, Failure, Result},
    merge,
    predict::{fastest, predict, regret},
    show,
    term::{Style, out, printable, say, tell},
};
use clap::Args;
use serde_json::json;
use skel::model::{ClassModel, InstanceModel, UnitId};
use std::ffi::OsString;

/// Measure a program's calls with shares from 0 to 1, closer and closer around the fastest.
#[derive(Args, Clone, Debug)]
pub(crate) struct OracleOptions {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    measure: Measure,
    #[command(flatten)]
    show: Show,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS", help_heading = "What to run")]
    args: Vec<OsString>,
}

/// Measures, and compares.
pub(super) fn run(options: &OracleOptions) -> Result {
    let messages = Messages::new(options.show.message_format);
    messages.end(measure(options, messages))
}

fn measure(options: &OracleOptions, messages: Messages) -> Result {
    messages.send(|| json!({"reason": "tune-started", "mode": "oracle"}));
    let program = cargo::build(&options.selection)?;
    messages.send(
        || json!({"reason": "build-finished", "program": program.path.display().to_string()}),
    );
    let session = Session {
        selection: &options.selection,
        program: &program,
        args: &options.args,
        mode: Mode::Oracle,
        measure: &options.measure,
        show: &options.show,
        messages,
    };
    let (journal, ended) = session.run()?;
    let models = merge::models(&journal, options.measure.seed, now_unix_s());
    let models = models.ok_or_else(|| no_handshake(&program.name, ended))?;
    if ended == Ended::Stopped {
        let failure = Failure::new(Exit::Incomplete, "stopped");
        return Err(failure.fix("the same command goes on where this one ended"));
    }
    if models.instances.is_empty() {
        let failure = Failure::new(Exit::NothingTunable, "nothing was measured to the end");
        return Err(
            match journal.problems.iter().any(|p| p.would_do_s.is_some()) {
                true => failure.fix(format!("with time enough: {}", resume(&session, &journal))),
                false => failure,
            },
        );
    }
    let mut regrets = Vec::new();
    for instance in &models.instances {
        let table = table(instance, messages, &mut regrets);
        if !messages.on() && !table.is_empty() {
            say!(
                "\n{}",
                Style::of_stdout().bold(&printable(&instance.key.name))
            );
            out(format_args!("{}", table.text()));
        }
    }
    if !messages.on() && !regrets.is_empty() {
        let mean = regrets.iter().sum::<f64>() / regrets.len() as f64;
        let worst = regrets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        say!(
            "\nregret: {:.1} % on average, {:.1} % at most",
            100.0 * mean,
            100.0 * worst
        );
    }
    if !messages.on() && regrets.is_empty() {
        match models.fingerprint.devices.is_empty() {
            true => say!(
                "nothing to compare: without a device, no call can be shared; `cargo tune doctor` says what \
                 was looked for"
            ),
            false => say!(
                "nothing to compare: no call could be shared; `cargo tune doctor` says which devices may be chosen"
            ),
        }
    }
    if !messages.on()
        && let Some(note) = software::left_out(&models)
    {
        tell!("{}: {note}", Style::of_stderr().bold("note"));
    }
    let resume = resume(&session, &journal);
    verdict(&journal, ended, &resume)
}

fn table(instance: &InstanceModel, messages: Messages, regrets: &mut Vec<f64>) -> Table {
    let mut table = Table::new([
        "elements",
        "predicted",
        "oracle",
        "its time",
        "regret",
        "model",
    ]);
    // Without a device there is nothing to share with.
    let shared = |class: &&ClassModel| class.units.iter().any(|unit| unit.unit.is_device());
    for class in instance.classes.iter().filter(shared) {
        let (Some(found), Some(best)) = (predict(class), fastest(class)) else {
            continue;
        };
        let lost = regret(class, &found.shares);
        regrets.extend(lost);
        let named = |shares: &[(UnitId, f64)]| -> Vec<_> {
            shares
                .iter()
                .map(|(unit, share)| json!([unit.to_string(), share]))
                .collect()
        };
        messages.send(|| {
            json!({"reason": "oracle", "id": instance.key.id(), "name": instance.key.name,
                "elems": class.elems, "beside_elems": class.beside_elems,
                "predicted": named(&found.shares), "best": named(&best.shares),
                "best_ns": best.sample.median_ns, "regret": lost,
                "verdict": class.verdict().to_string(), "unsure": finite(class.unsure())})
        });
        table.row([
            show::elems(class.elems),
            show::shares(&found.shares),
            show::shares(&best.shares),
            show::ns(best.sample.median_ns),
            lost.map_or("-".into(), |r| format!("{:.1} %", 100.0 * r)),
            show::verdict(class),
        ]);
    }
    table
}
