//! Disks that fail, and places that are not ours.

use crate::store::test::*;
use save::{Disk, RealDisk, update_on};
use std::cell::Cell;

/// Fails at one step, having done part of it.
struct Failing {
    steps_left: Cell<usize>,
    kind: io::ErrorKind,
}

impl Failing {
    fn at(step: usize, kind: io::ErrorKind) -> Failing {
        Failing {
            steps_left: Cell::new(step),
            kind,
        }
    }

    fn step(&self) -> io::Result<()> {
        match self.steps_left.get() {
            0 => Err(self.kind.into()),
            n => {
                self.steps_left.set(n - 1);
                Ok(())
            }
        }
    }
}

impl Disk for Failing {
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        for end in [0, bytes.len() / 2, bytes.len()] {
            fs::write(path, &bytes[..end])?;
            self.step()?;
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.sync_folder(folder)
    }
}

#[test]
fn whatever_fails_the_old_file_is_intact() {
    let folder = Temporary::new();
    let path = folder.join("file.json");
    update(&path, Existing::Keep, |_| numbered(0), || {}).unwrap();
    let kinds = [
        io::ErrorKind::StorageFull,
        io::ErrorKind::ReadOnlyFilesystem,
        io::ErrorKind::PermissionDenied,
    ];
    for kind in kinds {
        for step in 0..5 {
            let disk = Failing::at(step, kind);
            let result = update_on(&disk, &path, Existing::Keep, |_| numbered(1), || {});
            let Err(StoreError::Io {
                kind: found,
                operation,
                ..
            }) = &result
            else {
                panic!("{result:?}");
            };
            let expected = if step < 4 { "write" } else { "replace" };
            assert_eq!((*found, *operation), (kind, expected), "step {step}");
            assert_eq!(layout::read(&path), Ok(numbered(0)));
            assert_eq!(folder.names(), ["file.json"]);
        }
    }
    // Only the power could fail then.
    let disk = Failing::at(5, io::ErrorKind::Other);
    let result = update_on(&disk, &path, Existing::Keep, |_| numbered(1), || {});
    assert_eq!(result, Ok(Saved::Written));
    assert_eq!(layout::read(&path), Ok(numbered(1)));
}

#[test]
fn a_place_that_cannot_be_made_is_an_error() {
    let folder = Temporary::new();
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    let result = save(&Folder::at(&file), &sample_file());
    assert!(matches!(result, Err(StoreError::Io { .. })), "{result:?}");
    // Nor can it be read, which is no reason to do without.
    let store = Store::new(only("SKEL_CACHE_DIR", &file), None);
    assert_eq!(store.find(&key(), machine()), Lookup::Missing);
    let path = folder.join("folder");
    fs::create_dir(&path).unwrap();
    let onto = update(&path, Existing::Replace, |_| sample_file(), || {});
    assert!(matches!(onto, Err(StoreError::Refused { .. })), "{onto:?}");
    let nowhere = update(Path::new("/"), Existing::Keep, |_| sample_file(), || {});
    assert!(
        matches!(nowhere, Err(StoreError::Refused { .. })),
        "{nowhere:?}"
    );
    #[cfg(target_os = "linux")]
    {
        // A file system on which even root makes no files.
        let sealed = update(
            Path::new("/proc/skel/x.json"),
            Existing::Keep,
            |_| sample_file(),
            || {},
        );
        assert!(matches!(sealed, Err(StoreError::Io { .. })), "{sealed:?}");
    }
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = Temporary::new();
    let path = folder.join("large.json");
    let file = fs::File::create(&path).unwrap();
    // A gibibyte that takes no room.
    file.set_len(1 << 30).unwrap();
    let store = Store::new(only("SKEL_TUNE_FILE", &path), None);
    let lookup = store.find(&key(), machine());
    let Lookup::Broken(StoreError::Io { kind, .. }) = lookup else {
        panic!("{lookup:?}");
    };
    assert_eq!(kind, io::ErrorKind::FileTooLarge);
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>, because: &str) {
        match result {
            Err(StoreError::Refused { reason, .. }) => assert_eq!(reason, because),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = Temporary::new();
        let victim = folder.join("victim");
        fs::write(&victim, "precious").unwrap();
        let path = folder.join("file.json");
        for name in ["file.json", ".file.json.lock"] {
            let link = folder.join(name);
            symlink(&victim, &link).unwrap();
            let result = update(&path, Existing::Replace, |_| sample_file(), || {});
            refused(result, "it is a symbolic link");
            fs::remove_file(&link).unwrap();
        }
        // One under the name of what is unfinished is taken away.
        symlink(&victim, folder.join(".file.json.unfinished")).unwrap();
        update(&path, Existing::Replace, |_| sample_file(), || {}).unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(folder.names(), ["file.json", "victim"]);
        // Nor through one that leads nowhere yet.
        fs::remove_file(&path).unwrap();
        symlink(folder.join("new"), &path).unwrap();
        let result = update(&path, Existing::Replace, |_| sample_file(), || {});
        refused(result, "it is a symbolic link");
        assert!(!folder.join("new").exists());
    }

    #[test]
    fn folders_of_ours_are_no_links() {
        let machine = layout::machine_hash(machine().cpu, machine().threads);
        for depth in ["tune", "tune/v1", &format!("tune/v1/{machine}")] {
            let (folder, elsewhere) = (Temporary::new(), Temporary::new());
            let link = folder.join(depth);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(&elsewhere.0, &link).unwrap();
            refused(
                save(&folder.folder(), &sample_file()),
                "it is a symbolic link",
            );
            assert!(elsewhere.names().is_empty());
        }
    }

    #[test]
    fn a_folder_that_every_user_may_change_is_not_used() {
        let folder = Temporary::new();
        let path = folder.join("file.json");
        let mode = |mode| fs::set_permissions(&folder.0, fs::Permissions::from_mode(mode)).unwrap();
        mode(0o777);
        let result = update(&path, Existing::Keep, |_| sample_file(), || {});
        refused(result, "every user may write to this folder");
        assert!(folder.names().is_empty());
        // As /tmp is: no other user can replace what we make.
        mode(0o1777);
        update(&path, Existing::Keep, |_| sample_file(), || {}).unwrap();
        mode(0o700);
    }

    #[test]
    fn what_we_make_is_the_users_alone() {
        let folder = Temporary::new();
        let written = save(&folder.folder(), &sample_file()).unwrap();
        let machine = written[0].parent().unwrap();
        let mode = fs::metadata(machine).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
