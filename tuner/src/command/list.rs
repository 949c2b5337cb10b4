//! `cargo tune list`: the calls that a program makes, and what is known of them.

use crate::{
    Table, cargo,
    cargo::Selection,
    command::{
        messages::Messages,
        run::{
            child::Mode,
            no_handshake,
            options::{Measure, Show},
            session::Session,
        },
    },
    exit::{Exit, Failure, Result},
    journal::Journal,
    show,
    term::{out, printable},
};
use clap::Args;
use serde_json::json;
use skel::model::{
    Event, InstanceKey,
    store::{Lookup, Machine, Store},
};
use std::{env, ffi::OsString};

/// Run a program, and say which of its calls are tuned.
#[derive(Args, Clone, Debug)]
pub(crate) struct ListOptions {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    show: Show,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// Lists them.
pub(super) fn run(options: &ListOptions) -> Result {
    let messages = Messages::new(options.show.message_format);
    let program = cargo::build(&options.selection)?;
    let measure = Measure::default();
    let session = Session {
        program: &program,
        args: &options.args,
        mode: Mode::List,
        measure: &measure,
        show: &options.show,
        messages,
    };
    let (journal, ended) = session.run()?;
    let Some(fingerprint) = journal.fingerprint() else {
        return Err(no_handshake(&program.name, ended));
    };
    if journal.instances.is_empty() {
        return Err(
            Failure::new(Exit::NothingTunable, "the program made no call to tune")
                .fix("pass arguments after `--` that make it compute something"),
        );
    }
    let earlier = Journal::load(&program.journal()).unwrap_or_default();
    let store = Store::new(|name| env::var_os(name), None);
    let machine = Machine {
        cpu: &fingerprint.cpu,
        threads: fingerprint.threads,
        devices: Some(&fingerprint.devices),
    };
    let mut table = Table::new([
        "call",
        "skeleton",
        "element types",
        "calls",
        "elements",
        "state",
    ]);
    for (id, instance) in &journal.instances {
        let key = &instance.key;
        let state = state(&store, key, machine, &earlier, id);
        let (calls, least, most) = calls(&journal, id);
        messages.send(|| {
            json!({"reason": "listed", "id": id, "name": key.name, "pattern": key.pattern,
                "elements": key.elements, "calls": calls, "min_elems": least, "max_elems": most,
                "state": state.split(':').next()})
        });
        let sizes = match least == most {
            true => show::elems(most),
            false => format!("{} to {}", show::elems(least), show::elems(most)),
        };
        table.row([
            printable(&key.name),
            printable(&key.pattern),
            printable(&key.elements),
            calls.to_string(),
            sizes,
            state,
        ]);
    }
    if !messages.on() {
        out(format_args!("{}", table.text()));
    }
    Ok(Exit::Ok)
}

/// `tuned`, `stale: WHY`, `partial` or `missing`.
fn state(
    store: &Store,
    key: &InstanceKey,
    machine: Machine<'_>,
    earlier: &Journal,
    id: &str,
) -> String {
    match store.find(key, machine) {
        Lookup::Found(_) => "tuned".into(),
        Lookup::Stale { why, .. } => format!("stale: {}", printable(&why.to_string())),
        Lookup::Broken(error) => format!("missing: {}", printable(&error.to_string())),
        Lookup::Missing => match earlier.instances.get(id) {
            Some(begun) if !begun.classes.is_empty() => "partial".into(),
            _ => "missing".into(),
        },
    }
}

/// How many calls of an instance there were, of how many elements at least and at most.
fn calls(journal: &Journal, id: &str) -> (usize, usize, usize) {
    let mut found = (0, usize::MAX, 0);
    for event in &journal.events {
        if let Event::Call(call) = event
            && call.id == id
        {
            found = (
                found.0 + 1,
                found.1.min(call.elems),
                found.2.max(call.elems),
            );
        }
    }
    (found.0, found.1.min(found.2), found.2)
}
