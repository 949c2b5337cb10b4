//! Processes that die while they write.

use crate::store::test::*;
use save::{Disk, RealDisk, update_on};
use std::{
    cell::Cell,
    env,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
};

/// Dies at one step of writing.
struct Deadly {
    steps_left: Cell<usize>,
}

impl Deadly {
    fn step(&self) {
        match self.steps_left.get() {
            0 => process::abort(),
            n => self.steps_left.set(n - 1),
        }
    }
}

impl Disk for Deadly {
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step();
        let mut file = fs::File::create_new(path)?;
        self.step();
        let (a, b) = bytes.split_at(bytes.len() / 2);
        file.write_all(a)?;
        self.step();
        file.write_all(b)?;
        self.step();
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step();
        RealDisk.rename(from, to)?;
        self.step();
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step();
        RealDisk.sync_folder(folder)
    }
}

const PATH: &str = "SKEL_TEST_STORE_PATH";
const STEP: &str = "SKEL_TEST_STORE_STEP";

/// What the processes below run; by itself it has nothing to do.
#[test]
fn child() {
    let Some(path) = env::var_os(PATH).map(PathBuf::from) else {
        return;
    };
    let Some(step) = env::var_os(STEP) else {
        for seed in 1.. {
            let written = update(&path, Existing::Keep, |_| numbered(seed), || {});
            println!("{written:?}");
        }
        return;
    };
    let steps_left = Cell::new(step.to_str().unwrap().parse().unwrap());
    let disk = Deadly { steps_left };
    update_on(&disk, &path, Existing::Keep, |_| numbered(1), || {}).unwrap();
}

fn spawn(path: &Path, step: Option<usize>) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "store::test::killed::child", "--nocapture"]);
    command
        .env(PATH, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(step) = step {
        command.env(STEP, step.to_string());
    }
    command.spawn().unwrap()
}

#[test]
fn a_process_that_dies_at_any_step_leaves_the_old_file_or_the_new_one() {
    let folder = Temporary::new();
    let path = folder.join("file.json");
    let mut seen = Vec::new();
    for step in 0.. {
        update(&path, Existing::Keep, |_| numbered(0), || {}).unwrap();
        assert_eq!(
            folder.names(),
            ["file.json"],
            "what was left at step {step}"
        );
        let survived = spawn(&path, Some(step)).wait().unwrap().success();
        let left = layout::read(&path).unwrap();
        assert!([numbered(0), numbered(1)].contains(&left));
        seen.push(left.machines[0].instances[0].seed);
        if survived {
            break;
        }
    }
    // Up to the renaming, the old one.
    assert_eq!(seen, [0, 0, 0, 0, 0, 1, 1, 1]);
}

#[test]
fn a_process_that_is_killed_at_any_moment_leaves_a_whole_file() {
    let folder = Temporary::new();
    let path = folder.join("file.json");
    for round in 0..12 {
        let mut child = spawn(&path, None);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // It has begun, and goes on while we are no more exact than this.
        let written = lines
            .map(Result::unwrap)
            .filter(|line| line.contains("Ok("));
        assert_eq!(written.take(round + 1).count(), round + 1);
        child.kill().unwrap();
        child.wait().unwrap();
        let left = layout::read(&path).unwrap();
        let seed = left.machines[0].instances[0].seed;
        assert_eq!(left, numbered(seed));
        // And the next one is not kept waiting.
        update(&path, Existing::Keep, |_| numbered(0), || panic!("locked")).unwrap();
        assert_eq!(folder.names(), ["file.json"]);
    }
}
