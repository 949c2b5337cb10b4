//! `cargo tune list`: the calls that a program makes, and what is known of them.

use crate::{
    Table, cargo,
    cargo::Selection,
    command::{
        messages::Messages,
        run::{
            child::Mode,
            ended_well, no_handshake,
            options::{Measure, Show},
            session::Session,
        },
        words,
    },
    exit::{Exit, Failure, Result},
    journal::{Embedded, EmbeddedState, Journal},
    show,
    term::{out, printable, say},
};
use clap::Args;
use serde_json::json;
use skel::model::{
    Event, Verdict,
    store::{Found, Lookup, Machine, Place, Store},
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
    #[arg(last = true, value_name = "ARGS", help_heading = "What to run")]
    args: Vec<OsString>,
}

/// Lists them.
pub(super) fn run(options: &ListOptions) -> Result {
    let messages = Messages::new(options.show.message_format);
    let program = cargo::build(&options.selection)?;
    let measure = Measure::default();
    let session = Session {
        selection: &options.selection,
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
        let found = store.find(key, machine);
        let known = known(found, instance.embedded.as_ref(), &earlier, id);
        let (calls, least, most) = calls(&journal, id);
        messages.send(|| {
            json!({"reason": "listed", "id": id, "name": key.name, "pattern": key.pattern,
                "elements": key.elements, "calls": calls, "min_elems": least, "max_elems": most,
                "state": known.state, "place": known.place, "why": known.why,
                "verdict": known.verdict})
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
            known.shown(),
        ]);
    }
    if !messages.on() {
        out(format_args!("{}", table.text()));
        for command in &earlier.commands {
            say!("measured by: {}", words::kept(command));
        }
    }
    // Calls that it did not come to are not listed.
    ended_well(ended).map(|()| Exit::Ok)
}

/// What is known of an instance.
#[derive(Debug, PartialEq, Eq)]
struct Known {
    /// `tuned`, `stale`, `partial` or `missing`.
    state: &'static str,
    /// Where what is known is: `SKEL_TUNE_FILE`, `embedded` or `folder`.
    place: Option<&'static str>,
    /// Why it is not used.
    why: Option<String>,
    /// Whether calls go by it, if it is here to be read.
    verdict: Option<String>,
}

impl Known {
    fn new(state: &'static str, place: Option<&'static str>, why: Option<String>) -> Known {
        let why = why.map(|why| printable(&why));
        let verdict = None;
        Known {
            state,
            place,
            why,
            verdict,
        }
    }

    /// What was found and is used.
    fn tuned(place: Option<&'static str>, found: &Found) -> Known {
        Known {
            verdict: Some(Verdict::of(&found.model.classes).to_string()),
            ..Known::new("tuned", place, None)
        }
    }

    fn shown(&self) -> String {
        let place = match self.place {
            Some(EMBEDDED) => " (in the program)",
            Some(NAMED) => " (SKEL_TUNE_FILE)",
            _ => "",
        };
        match (&self.why, &self.verdict) {
            (Some(why), _) => format!("{}{place}: {why}", self.state),
            (None, Some(verdict)) => format!("{}{place}, {verdict}", self.state),
            (None, None) => format!("{}{place}", self.state),
        }
    }
}

/// What programs find, in the order in which they look: the file that is named, what the program carries,
/// of which only it can tell, the folder.
fn known(found: Lookup, embedded: Option<&Embedded>, earlier: &Journal, id: &str) -> Known {
    let place = match &found {
        Lookup::Found(found) => Some(named(&found.place)),
        Lookup::Stale { place, .. } => Some(named(place)),
        Lookup::Broken(_) | Lookup::Missing => None,
    };
    let by_name = place == Some(NAMED);
    let of_program = |embedded: &Embedded| {
        let why = Some(embedded.why.clone());
        match embedded.state {
            EmbeddedState::Tuned => Known {
                verdict: Some(printable(&embedded.why)).filter(|verdict| !verdict.is_empty()),
                ..Known::new("tuned", Some(EMBEDDED), None)
            },
            EmbeddedState::Stale => Known::new("stale", Some(EMBEDDED), why),
            EmbeddedState::Broken => Known::new("missing", Some(EMBEDDED), why),
        }
    };
    match (found, embedded) {
        (Lookup::Found(found), _) if by_name => Known::tuned(place, &found),
        (_, Some(embedded)) if embedded.state == EmbeddedState::Tuned => of_program(embedded),
        (Lookup::Found(found), _) => Known::tuned(place, &found),
        (Lookup::Stale { why, .. }, None) => Known::new("stale", place, Some(why.to_string())),
        (Lookup::Stale { why, .. }, _) if by_name => {
            Known::new("stale", place, Some(why.to_string()))
        }
        (_, Some(embedded)) => of_program(embedded),
        (Lookup::Broken(error), None) => Known::new("missing", None, Some(error.to_string())),
        (Lookup::Missing, None) => match earlier.instances.get(id) {
            Some(begun) if !begun.classes.is_empty() => Known::new("partial", None, None),
            _ => Known::new("missing", None, None),
        },
    }
}

const NAMED: &str = "SKEL_TUNE_FILE";
const EMBEDDED: &str = "embedded";

fn named(place: &Place) -> &'static str {
    match place {
        Place::Named(_) => NAMED,
        Place::Embedded => EMBEDDED,
        Place::Folder(_) => "folder",
    }
}

/// How many calls of an instance there were, of how many elements at least and at most.
fn calls(journal: &Journal, id: &str) -> (usize, usize, usize) {
    let mut found = (0, usize::MAX, 0);
    for event in &journal.events() {
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

#[cfg(test)]
mod test {
    use super::*;
    use skel::model::store::{Stale, StoreError};

    fn embedded(state: EmbeddedState) -> Option<Embedded> {
        let why = "so\u{1b}".into();
        Some(Embedded { state, why })
    }

    fn found(place: Place) -> Lookup {
        let classes = Vec::new();
        let model = crate::predict::test::instance(classes);
        let found = Found {
            model,
            transfers: Vec::new(),
            devices: Vec::new(),
            place,
            soft: Vec::new(),
            is_one_of_several: false,
        };
        Lookup::Found(Box::new(found))
    }

    fn stale(place: Place) -> Lookup {
        Lookup::Stale {
            place,
            why: Stale::Code,
        }
    }

    /// The order of `Store::find`, which knows of all three: what fits first, else the first that does not.
    #[test]
    fn what_a_program_carries_stands_between_the_named_file_and_the_folder() {
        use EmbeddedState::{Broken, Stale, Tuned};
        let file = || Place::Named("f".into());
        let folder = || Place::Folder("d".into());
        let broken = || Lookup::Broken(StoreError::NoFolder);
        let cases = [
            (
                found(file()),
                embedded(Tuned),
                "tuned (SKEL_TUNE_FILE), unknown",
            ),
            (
                found(folder()),
                embedded(Tuned),
                "tuned (in the program), so\\u{1b}",
            ),
            (found(folder()), embedded(Stale), "tuned, unknown"),
            (found(folder()), None, "tuned, unknown"),
            (
                stale(file()),
                embedded(Tuned),
                "tuned (in the program), so\\u{1b}",
            ),
            (stale(file()), embedded(Stale), "stale (SKEL_TUNE_FILE): "),
            (
                stale(folder()),
                embedded(Stale),
                "stale (in the program): so\\u{1b}",
            ),
            (stale(folder()), None, "stale: "),
            (
                Lookup::Missing,
                embedded(Tuned),
                "tuned (in the program), so\\u{1b}",
            ),
            (
                Lookup::Missing,
                embedded(Broken),
                "missing (in the program): so\\u{1b}",
            ),
            (Lookup::Missing, None, "missing"),
            (broken(), None, "missing: "),
            (
                broken(),
                embedded(Tuned),
                "tuned (in the program), so\\u{1b}",
            ),
        ];
        for (found, embedded, shown) in cases {
            let case = format!("{found:?} {embedded:?}");
            let known = known(found, embedded.as_ref(), &Journal::default(), "00ff");
            let said = known.shown();
            let matches = match shown.ends_with(": ") {
                true => said.starts_with(shown),
                false => said == shown,
            };
            assert!(matches, "{case}: {said}");
        }
    }
}
