//! The file, which is an array of JSON at any time: what ends it is written with every batch, and
//! overwritten by the next one. A program that is killed while it writes leaves an array that does not
//! end, which viewers take as well.

use super::{
    Lane,
    event::{self, Args},
};
use crate::{fork::OwnerProcess, setting::TRACE};
use skel_core::setting::{shown, warn};
use skel_model::disk::file;
use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process,
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

/// So much is kept back at most, unless a flush is asked for.
const BATCH_BYTES: usize = 1 << 16;

/// Files do not grow beyond this: no viewer would open them.
const MOST_BYTES: u64 = 1 << 30;

/// What ends an array.
const END: &str = "\n]\n";

/// Where events go.
pub(super) struct Sink {
    /// A child that was forked would write to the same place of the same file.
    owner: OwnerProcess,
    started: Instant,
    path: PathBuf,
    writer: Mutex<Option<Writer>>,
}

struct Writer {
    file: File,
    /// Where the next event goes.
    end: u64,
    batch: String,
}

/// The sink, if the environment names a file that can be written; looks once. None in a child of the process that
/// has looked.
pub(super) fn get() -> Option<&'static Sink> {
    static SINK: OnceLock<Option<Sink>> = OnceLock::new();
    SINK.get_or_init(|| {
        let named = TRACE.get().ok().flatten()?;
        let path = match named.to_str() {
            Some(name) => name.replace("%p", &process::id().to_string()).into(),
            None => named,
        };
        match Writer::create(&path) {
            Ok(writer) => {
                let (started, writer) = (Instant::now(), Mutex::new(Some(writer)));
                Some(Sink {
                    owner: OwnerProcess::here(),
                    started,
                    path,
                    writer,
                })
            }
            Err(error) => {
                let path = shown(path.as_os_str());
                let name = TRACE.info.name;
                warn(name, &format!("{name}: {path}: {error}: nothing is traced"));
                None
            }
        }
    })
    .as_ref()
    .filter(|sink| !sink.owner.is_ancestor())
}

impl Sink {
    /// How long the trace had been going on then.
    pub(super) fn since(&self, then: Instant) -> Duration {
        then.saturating_duration_since(self.started)
    }

    /// Adds an event; the file shows it at once if that is asked for, and later otherwise.
    pub(super) fn push(&self, event: &str, flush: bool) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = &mut *writer else {
            return;
        };
        open.batch.push_str(",\n");
        open.batch.push_str(event);
        if !flush && open.batch.len() < BATCH_BYTES {
            return;
        }
        let reason = match open.write() {
            Ok(()) if open.end < MOST_BYTES => return,
            Ok(()) => "it has 1 GiB".to_owned(),
            Err(error) => error.to_string(),
        };
        let path = shown(self.path.as_os_str());
        let name = TRACE.info.name;
        warn(
            name,
            &format!("{name}: {path}: {reason}: the trace ends here"),
        );
        *writer = None;
        super::stop();
    }
}

impl Writer {
    /// An array of one event, which names the process.
    fn create(path: &Path) -> io::Result<Self> {
        let program = std::env::args_os().next().map(PathBuf::from);
        let program = program.as_deref().and_then(|path| path.file_name());
        let program = program.map_or("skel".into(), |name| name.to_string_lossy());
        let name = Args::new().text("name", &program);
        let first = event::metadata("process_name", Lane(0), &name);
        let mut writer = Writer {
            file: file::create(path)?,
            end: 0,
            batch: format!("[\n{first}"),
        };
        writer.write()?;
        Ok(writer)
    }

    fn write(&mut self) -> io::Result<()> {
        let bytes = self.batch.len() as u64;
        self.batch.push_str(END);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(self.batch.as_bytes())?;
        self.batch.clear();
        self.end += bytes;
        Ok(())
    }
}
