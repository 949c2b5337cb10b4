//! Threads that share a buffer, in every order they may run in: `cargo xtask loom`.
//!
//! loom does not see accesses through raw pointers, so each host element has a cell beside it: a
//! download writes it, a reader reads it, and loom tells when neither comes surely before the other.

use super::*;
use crate::container::{Container, Vector};
use loom::{
    cell::UnsafeCell,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

const N: usize = 2;

/// A device whose element `i` is `100 + i`.
struct Device {
    host: [UnsafeCell<()>; N],
    downloaded: AtomicUsize,
    fails: bool,
}

// SAFETY: that the cells are accessed in turns is what the tests are about.
unsafe impl Send for Device {}
// SAFETY: the tests check that no two threads access a cell at once.
unsafe impl Sync for Device {}

impl Device {
    fn new(fails: bool) -> Arc<Self> {
        Arc::new(Device {
            host: std::array::from_fn(|_| UnsafeCell::new(())),
            downloaded: AtomicUsize::new(0),
            fails,
        })
    }

    /// Reads elements `r` of the host memory.
    fn read(&self, view: View<'_>, r: Range<usize>) -> Vec<u32> {
        for cell in &self.host[r.clone()] {
            cell.with(|_| ());
        }
        view.slice::<u32>(r).to_vec()
    }
}

// SAFETY: it writes the whole window.
unsafe impl Remote for Device {
    fn download(&self, mut into: ViewOut<'_>) -> Result<()> {
        if self.fails {
            return Err(Error::Device {
                device: "a model".into(),
                operation: "a download",
                message: "it fails".into(),
            });
        }
        let window = into.window();
        for cell in &self.host[window.clone()] {
            cell.with_mut(|_| ());
        }
        self.downloaded.fetch_add(window.len(), Relaxed);
        let values: Vec<u32> = (100..).skip(window.start).take(window.len()).collect();
        into.copy_from_bytes(View::of(&values).bytes()).unwrap();
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A vector whose elements are on the device only.
fn on_device(device: &Arc<Device>) -> (Arc<Vector<u32>>, NodeId) {
    let node = NodeId::unique();
    let mut vector = Vector::from(vec![0_u32; N]);
    let mut target = vector.target();
    let shared = Arc::clone(device);
    // SAFETY: it is this buffer's, on a node of its own.
    unsafe { target.buffer().remote(node, || Ok(shared)) }.unwrap();
    // SAFETY: this device has something for every element.
    unsafe { target.wrote(node, 0..N) };
    (Arc::new(vector), node)
}

#[test]
fn readers_see_what_was_downloaded_once() {
    loom::model(|| {
        let device = Device::new(false);
        let (vector, _) = on_device(&device);
        let readers = [0..N, 0..1].map(|r| {
            let (vector, device) = (Arc::clone(&vector), Arc::clone(&device));
            thread::spawn(move || {
                let view = vector.buffer().host_view(r.clone()).unwrap();
                let expected: Vec<u32> = (100..).skip(r.start).take(r.len()).collect();
                assert_eq!(device.read(view, r), expected);
            })
        });
        let view = vector.buffer().host_view(0..N).unwrap();
        assert_eq!(device.read(view, 0..N), [100, 101]);
        for reader in readers {
            reader.join().unwrap();
        }
        assert_eq!(device.downloaded.load(Relaxed), N);
    });
}

#[test]
fn an_element_is_uploaded_once_and_by_then_it_is_on_the_host() {
    loom::model(|| {
        let device = Device::new(false);
        let (vector, _) = on_device(&device);
        let other = NodeId::unique();
        let upload = move |vector: &Vector<u32>, device: &Device| {
            let mut elements = 0;
            let post = |view: View<'_>| {
                let r = view.window();
                elements += r.len();
                assert_eq!(
                    device.read(view, r.clone())[0],
                    100 + u32::try_from(r.start).unwrap()
                );
            };
            // SAFETY: the test queues no command that reads it there.
            unsafe { vector.buffer().upload_missing(other, 0..N, post) }.unwrap();
            elements
        };
        let (shared, its) = (Arc::clone(&vector), Arc::clone(&device));
        let beside = thread::spawn(move || upload(&shared, &its));
        let here = upload(&vector, &device);
        assert_eq!(beside.join().unwrap() + here, N);
        assert!(vector.buffer().missing(other, 0..N).is_empty());
    });
}

#[test]
fn after_a_failed_upload_the_next_reader_uploads_again() {
    loom::model(|| {
        let device = Device::new(false);
        let (vector, _) = on_device(&device);
        let other = NodeId::unique();
        let shared = Arc::clone(&vector);
        let failing = thread::spawn(move || {
            // SAFETY: the test queues no command that reads it there.
            let parts = unsafe { shared.buffer().upload_missing(other, 0..N, |_| ()) }.unwrap();
            for part in parts {
                shared.buffer().retract(other, part);
            }
        });
        let view = vector.buffer().host_view(0..1).unwrap();
        assert_eq!(device.read(view, 0..1), [100]);
        failing.join().unwrap();
        // Nothing but the device's claim is gone: the host's elements stay.
        let mut posted = Vec::new();
        let post = |view: View<'_>| posted.extend(view.window());
        // SAFETY: the test queues no command that reads it there.
        unsafe { vector.buffer().upload_missing(other, 0..N, post) }.unwrap();
        assert_eq!((posted, device.downloaded.load(Relaxed)), (vec![0, 1], N));
    });
}

#[test]
fn a_failed_download_is_an_error_for_all_and_no_value_for_anyone() {
    loom::model(|| {
        let device = Device::new(true);
        let (vector, node) = on_device(&device);
        let shared = Arc::clone(&vector);
        let reader = thread::spawn(move || assert!(shared.host().is_err()));
        assert!(vector.host().is_err());
        reader.join().unwrap();
        assert!(vector.buffer().valid(NodeId::HOST).is_empty());
        assert_eq!(vector.buffer().valid(node).len(), N);
    });
}

/// A device that drops what it has, unless it is pinned.
#[derive(Default)]
struct Shrinks(Mutex<Shrinking>);

#[derive(Default)]
struct Shrinking {
    pins: usize,
    /// How many elements it has.
    elems: usize,
    kept: Option<IntervalSet>,
}

impl Shrinks {
    fn state(&self) -> MutexGuard<'_, Shrinking> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// SAFETY: the test never downloads from it.
unsafe impl Remote for Shrinks {
    fn download(&self, _: ViewOut<'_>) -> Result<()> {
        unreachable!("the host has everything")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn pin(&self) {
        self.state().pins += 1;
    }

    fn kept(&self) -> Option<IntervalSet> {
        self.state().kept.take()
    }
}

#[test]
fn what_is_valid_on_a_device_that_was_pinned_is_there() {
    loom::model(|| {
        let (device, node) = (Arc::new(Shrinks::default()), NodeId::unique());
        let vector = Arc::new(Vector::from(vec![7_u32; N]));
        let bring = |vector: &Vector<u32>, device: &Arc<Shrinks>| {
            let shared = Arc::clone(device);
            let buffer = vector.buffer();
            // SAFETY: it is this buffer's, on a node of its own.
            unsafe { buffer.remote(node, || Ok(shared)) }.unwrap();
            let post = |view: View<'_>| device.state().elems += view.window().len();
            // SAFETY: the device has them when they are posted.
            unsafe { buffer.upload_missing(node, 0..N, post) }.unwrap();
            assert_eq!(device.state().elems, N, "it has what a call needs");
        };
        bring(&vector, &device);
        device.state().pins = 0;
        let shrinking = {
            let device = Arc::clone(&device);
            thread::spawn(move || {
                let mut state = device.state();
                if state.pins == 0 {
                    state.elems = 0;
                    state.kept = Some(IntervalSet::new());
                }
            })
        };
        bring(&vector, &device);
        shrinking.join().unwrap();
        assert_eq!(device.state().elems, N, "and keeps it until it is done");
    });
}

/// Whichever of them comes last finds that the host has everything, and says so; what another thread has brought is there
/// for all that believe it.
#[test]
fn ranges_of_one_buffer_are_written_and_read_side_by_side() {
    fn read(vector: &Vector<u32>, device: &Device) {
        // SAFETY: the vector outlives it, and only the first element is granted to be written.
        let granted = unsafe {
            vector
                .buffer()
                .granted(IntervalSet::of(1..2), IntervalSet::new())
        };
        let view = granted.host_view(1..2).unwrap();
        assert_eq!(device.read(view, 1..2), [101]);
    }
    loom::model(|| {
        let device = Device::new(false);
        let (vector, _) = on_device(&device);
        let reader = {
            let (vector, device) = (Arc::clone(&vector), Arc::clone(&device));
            thread::spawn(move || read(&vector, &device))
        };
        let writer = {
            let (vector, device) = (Arc::clone(&vector), Arc::clone(&device));
            thread::spawn(move || {
                let (none, first) = (IntervalSet::new(), IntervalSet::of(0..1));
                // SAFETY: the vector outlives it, and others are granted the other element.
                let mut granted = unsafe { vector.buffer().granted(none, first) };
                let mut target = BufferMut::new(&mut granted);
                let mut out = target.lend_out(0..1);
                device.host[0].with_mut(|_| ());
                out.copy_from_bytes(View::of(&[7_u32]).bytes()).unwrap();
                // SAFETY: it has just been written.
                unsafe { target.wrote(NodeId::HOST, 0..1) };
            })
        };
        read(&vector, &device);
        reader.join().unwrap();
        writer.join().unwrap();
        let view = vector.buffer().host_view(0..N).unwrap();
        assert_eq!(device.read(view, 0..N), [7, 101]);
        assert!(vector.buffer().is_complete_on_host());
        assert_eq!(device.downloaded.load(Relaxed), 1);
    });
}
