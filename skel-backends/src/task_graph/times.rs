//! What is known of the times of a graph's tasks, by kind: learned, and kept between runs if it has a name.

use crate::{Context, task::Measured};
use skel_core::{hash::Fnv, notice::say, setting::environment};
use skel_model::{
    disk::{CacheFolder, file, folder},
    store::machine_hash,
};
use skel_tasks::{Arch, Costs, Engine, KindId, Machine, Ns, Work, model::Learned};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// No file that is written here is larger.
const MAX_BYTES: u64 = 16 << 20;

/// Times by kind, until there are samples enough for a model: the rate of what was measured so far.
#[derive(Default)]
struct Rates {
    kinds: Vec<Measured>,
}

impl Costs for Rates {
    fn exec_ns(&self, kind: KindId, arch: Arch, work: Work) -> Option<Ns> {
        self.kinds.get(kind.0 as usize)?.exec_ns(kind, arch, work)
    }

    fn observe(&mut self, kind: KindId, arch: Arch, work: Work, took_ns: Ns) {
        let k = kind.0 as usize;
        if took_ns > 0 {
            if self.kinds.len() <= k {
                self.kinds.resize_with(k + 1, Measured::default);
            }
            self.kinds[k].observe(kind, arch, work, took_ns);
        }
    }
}

/// The models of a graph, which its engine asks. The lock is taken under the graph's, and never waited for but when
/// they are written.
#[derive(Clone)]
pub(super) struct Times(Arc<Mutex<Learned>>);

impl Costs for Times {
    fn exec_ns(&self, kind: KindId, arch: Arch, work: Work) -> Option<Ns> {
        self.with(|learned| learned.exec_ns(kind, arch, work))
    }

    fn observe(&mut self, kind: KindId, arch: Arch, work: Work, took_ns: Ns) {
        self.with(|learned| learned.observe(kind, arch, work, took_ns));
    }
}

impl Times {
    fn with<R>(&self, body: impl FnOnce(&mut Learned) -> R) -> R {
        body(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Models that are read before the first task and written after the last one.
pub(super) struct Models {
    pub(super) times: Times,
    /// The names of kinds in what was read, by number: the engine's first ones.
    kinds: Vec<String>,
    archs: Vec<String>,
    file: Option<PathBuf>,
}

impl Models {
    /// Whether they are written after the last task.
    pub(super) fn are_kept(&self) -> bool {
        self.file.is_some()
    }

    /// Those of a graph of this name on this machine; new ones without a name, and where nothing was kept.
    pub(super) fn open(name: Option<&str>, context: &Context, machine: &Machine) -> Models {
        Models::at(name.and_then(|name| place(name, context)), machine)
    }

    /// Those in a file.
    fn at(file: Option<PathBuf>, machine: &Machine) -> Models {
        let mut models = Models {
            times: Times(Arc::default()),
            kinds: Vec::new(),
            archs: machine.archs().to_vec(),
            file,
        };
        let read = models.file.as_deref().map(|file| models.read(file));
        let learned = match read {
            None => Learned::default(),
            Some(Ok((learned, kinds))) => {
                models.kinds = kinds;
                learned
            }
            Some(Err(error)) => {
                if let Some(file) = models.file.as_deref() {
                    say(format_args!(
                        "{}: {error}; times of tasks are learned anew",
                        file.display()
                    ));
                }
                Learned::default()
            }
        };
        let learned = learned.with_prior(Box::<Rates>::default());
        models.times = Times(Arc::new(Mutex::new(learned)));
        models
    }

    fn read(&self, file: &Path) -> Result<(Learned, Vec<String>), String> {
        let text = match folder::read(file, MAX_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Default::default()),
            read => read.map_err(|error| error.to_string())?,
        };
        let text = String::from_utf8(text).map_err(|error| error.to_string())?;
        let mut kinds: Vec<String> = Vec::new();
        let kind = |name: &str| {
            let known = kinds.iter().position(|kind| kind == name);
            let number = known.unwrap_or_else(|| {
                kinds.push(name.into());
                kinds.len() - 1
            });
            Some(KindId(number as u32))
        };
        let arch = |name: &str| {
            let known = self.archs.iter().position(|arch| arch == name)?;
            Some(Arch(known as u8))
        };
        let learned = Learned::from_text(&text, kind, arch).map_err(|error| error.to_string())?;
        Ok((learned, kinds))
    }

    /// The engine of the graph numbers kinds as what was read does.
    pub(super) fn introduce(&self, engine: &mut Engine) {
        for kind in &self.kinds {
            engine.kind(kind);
        }
    }

    /// Writes what was learned of these kinds. A cache that cannot be written costs time, and no result: a line on
    /// standard error says so.
    pub(super) fn save(&self, kinds: &[String]) {
        let Some(file) = self.file.as_deref() else {
            return;
        };
        let text = self
            .times
            .with(|learned| learned.to_text(kinds, &self.archs));
        let (Some(parent), Some(name)) = (file.parent(), file.file_name()) else {
            return;
        };
        let name = name.to_string_lossy();
        let written =
            folder::make(parent).and_then(|()| file::replace(parent, &name, text.as_bytes()));
        if let Err(error) = written {
            say(format_args!(
                "{}: {error}; times of tasks are not kept",
                file.display()
            ));
        }
    }
}

/// `tasks/v1/<hash of processor and threads>/<hash of the name>.txt` in the user's cache folder; none if that is
/// switched off.
fn place(name: &str, context: &Context) -> Option<PathBuf> {
    let cache = CacheFolder::of_user(environment)?;
    let about = context.fingerprint();
    let folder = cache.path().join("tasks").join("v1");
    let folder = folder.join(machine_hash(&about.cpu, about.threads));
    Some(folder.join(format!("{:032x}.txt", Fnv::of(name.as_bytes()))))
}

#[cfg(test)]
mod test {
    use super::*;
    use skel_tasks::scheduler;
    use std::fs;

    fn engine(models: &Models, machine: &Machine) -> Engine {
        let scheduler = scheduler::parse("eager").unwrap().build(machine).unwrap();
        let mut engine = Engine::new(machine.clone(), scheduler, Box::new(models.times.clone()));
        models.introduce(&mut engine);
        engine
    }

    #[test]
    fn what_is_damaged_is_learned_anew_and_replaced() {
        let folder = std::env::temp_dir().join(format!("skel-times-{}", std::process::id()));
        let (file, machine) = (folder.join("a").join("b.txt"), Machine::cores(2).unwrap());
        let (arch, work) = (Arch(0), Work { elems: 8 });
        let open = || Models::at(Some(file.clone()), &machine);

        let mut models = open();
        let mut first = engine(&models, &machine);
        let (other, gemm) = (first.kind("other"), first.kind("gemm"));
        assert_eq!((other, gemm), (KindId(0), KindId(1)));
        for took_ns in [1_000_000].into_iter().chain([700; 12]) {
            models.times.observe(gemm, arch, work, took_ns);
        }
        models.save(first.kinds());

        // Another program meets the kinds in another order.
        let models = open();
        let mut again = engine(&models, &machine);
        assert_eq!(again.kind("new"), KindId(1));
        let gemm = again.kind("gemm");
        assert_eq!(models.times.exec_ns(gemm, arch, work), Some(700));
        assert_eq!(models.times.exec_ns(KindId(1), arch, work), None);

        for damaged in [&b"skel.tasks/1\nhistory nonsense"[..], &[0xff; 9]] {
            fs::write(&file, damaged).unwrap();
            let models = open();
            assert_eq!(models.times.exec_ns(gemm, arch, work), None);
            models.save(&[]);
            assert_eq!(fs::read(&file).unwrap(), b"skel.tasks/1\n");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
