//! A browser without a window.

use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// The browser, if there is one.
pub(crate) fn find() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let works = |name: &&str| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    names.into_iter().find(works).map(PathBuf::from)
}

/// What a page looks like.
pub(crate) struct Picture {
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// How many pixels are nearly of this colour.
    pub(crate) fn count(&self, colour: [u8; 3]) -> usize {
        let near = |p: &&[u8; 3]| p.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 6);
        self.pixels.iter().filter(near).count()
    }

    pub(crate) fn len(&self) -> usize {
        self.pixels.len()
    }
}

/// Draws a page in a window of this width; what the browser says, and what it looks like.
pub(crate) fn draw(browser: &Path, page: &Path, dir: &Path, width: u32) -> (String, Picture) {
    let (shot, log) = (dir.join("page.png"), dir.join("log"));
    let page = fs::canonicalize(page).expect("a page");
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--hide-scrollbars",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .args(["--disable-dev-shm-usage", "--enable-logging=stderr"])
        .arg(format!("--window-size={width},2600"))
        .arg(format!("--user-data-dir={}", dir.join("profile").display()))
        .arg(format!("--screenshot={}", shot.display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&log).expect("a file"))
        .spawn()
        .expect("it starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(180) {
            child.kill().expect("it ends");
        }
        sleep(Duration::from_millis(50));
    }
    let said = String::from_utf8_lossy(&fs::read(&log).expect("a log")).into_owned();
    let file = File::open(&shot).unwrap_or_else(|e| panic!("no picture: {e}\n{said}"));
    (said, decode(file))
}

fn decode(file: File) -> Picture {
    let decoder = png::Decoder::new(BufReader::new(file));
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    let samples = info.color_type.samples();
    assert_eq!(info.bit_depth, png::BitDepth::Eight);
    assert!(samples >= 3, "{:?}", info.color_type);
    let pixels = bytes[..info.buffer_size()].chunks_exact(samples);
    Picture {
        pixels: pixels.map(|p| [p[0], p[1], p[2]]).collect(),
    }
}
