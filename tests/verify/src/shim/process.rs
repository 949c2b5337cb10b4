//! The program of a batch while it runs; `runner.cpp` says what goes over its pipes.

use super::{Launch, Order};
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

/// As many times the program is started: AddressSanitizer wants certain addresses, and on some
/// systems they are taken by chance.
const STARTS: u32 = 10;
/// What of a sanitizer's report goes into an error.
const REPORT_CHARS: usize = 3000;

#[derive(Debug)]
pub(super) struct Runner {
    child: Child,
    to: ChildStdin,
    from: ChildStdout,
    stderr: PathBuf,
}

impl Runner {
    pub(super) fn start(program: &Path, folder: &Path) -> Result<Runner, String> {
        let mut last = String::new();
        for _ in 0..STARTS {
            let mut runner = Runner::spawn(program, folder)
                .map_err(|e| format!("{}: {e}", program.display()))?;
            match runner.hello() {
                Ok(()) => return Ok(runner),
                Err(error) => last = runner.died(&error),
            }
        }
        Err(format!("{} does not start: {last}", program.display()))
    }

    fn spawn(program: &Path, folder: &Path) -> io::Result<Runner> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let stderr = folder.join(format!("stderr-{count}"));
        let mut child = Command::new(program)
            .env_remove("ASAN_OPTIONS")
            .env_remove("UBSAN_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&stderr)?)
            .spawn()?;
        let piped = "was asked for as a pipe";
        Ok(Runner {
            to: child.stdin.take().expect(piped),
            from: child.stdout.take().expect(piped),
            child,
            stderr,
        })
    }

    fn hello(&mut self) -> io::Result<()> {
        let mut hello = [0; 8];
        self.from.read_exact(&mut hello)?;
        if hello[..4] == *b"skel" {
            Ok(())
        } else {
            self.child.kill()?;
            Err(io::Error::other("it says something else first"))
        }
    }

    /// After an error, the program has ended.
    pub(super) fn launch(
        &mut self,
        kernel: u32,
        limit_s: u32,
        launch: &Launch<'_>,
        buffers: &mut [Vec<u8>],
    ) -> Result<(), String> {
        let request = request(kernel, limit_s, launch, buffers)?;
        // It may end before it has read all, and then says why.
        let sent = self.to.write_all(&request).and_then(|()| self.to.flush());
        let answer = match sent {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => self.answer(buffers),
        };
        match answer {
            Ok(Ok(changed)) => {
                for (buffer, changed) in buffers.iter_mut().zip(changed) {
                    *buffer = changed;
                }
                Ok(())
            }
            Ok(Err(message)) => Err(message),
            Err(error) => Err(self.died(&error)),
        }
    }

    fn answer(&mut self, buffers: &[Vec<u8>]) -> io::Result<Result<Vec<Vec<u8>>, String>> {
        if self.number()? != 0 {
            let mut message = vec![0; self.number()? as usize];
            self.from.read_exact(&mut message)?;
            return Ok(Err(String::from_utf8_lossy(&message).into_owned()));
        }
        let mut changed = Vec::new();
        for buffer in buffers {
            let mut bytes = vec![0; buffer.len()];
            self.from.read_exact(&mut bytes)?;
            changed.push(bytes);
        }
        Ok(Ok(changed))
    }

    fn number(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.from.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Why the program ended without an answer: a sanitizer's report, most likely.
    fn died(&mut self, error: &io::Error) -> String {
        let status = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(wait) => wait.to_string(),
        };
        let report = match fs::read(&self.stderr) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(read) => format!("{}: {read}", self.stderr.display()),
        };
        let report = report.split("Shadow bytes around").next().unwrap_or("");
        let report: String = report.chars().take(REPORT_CHARS).collect();
        format!("{}\n({error}; {status})", report.trim())
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // It has ended or waits for more; neither call can fail in a way that matters then.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn request(
    kernel: u32,
    limit_s: u32,
    launch: &Launch<'_>,
    buffers: &[Vec<u8>],
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let word = |n: usize| match u32::try_from(n) {
        Ok(n) => Ok(n.to_le_bytes()),
        Err(_) => Err(format!("{n} does not fit 32 bits")),
    };
    let (kind, seed) = match launch.order {
        Order::Ascending => (0_u32, 0),
        Order::Descending => (1, 0),
        Order::Shuffled(seed) => (2, seed),
        Order::Interleaved(seed) => (3, seed),
    };
    bytes.extend(kernel.to_le_bytes());
    bytes.extend(limit_s.to_le_bytes());
    bytes.extend(kind.to_le_bytes());
    bytes.extend(seed.to_le_bytes());
    for extent in launch.grid.iter().chain(&launch.block) {
        bytes.extend(extent.to_le_bytes());
    }
    bytes.extend(word(launch.params.len())?);
    bytes.extend(launch.params);
    bytes.extend(word(launch.pointers.len())?);
    for (offset, buffer) in launch.pointers {
        bytes.extend(word(*offset)?);
        bytes.extend(word(*buffer)?);
    }
    bytes.extend(word(buffers.len())?);
    for buffer in buffers {
        bytes.extend((buffer.len() as u64).to_le_bytes());
        bytes.extend(buffer);
    }
    Ok(bytes)
}
