//! A device to which there are two ways.

use super::{
    super::{discovery::listed, lazy::BY_CUDA},
    *,
};
use crate::mock::Mock;

fn info(api: &str) -> UnitInfo {
    UnitInfo {
        name: "a GPU".into(),
        kind: UnitKind::DiscreteGpu,
        api: api.into(),
        driver: "1".into(),
        memory_bytes: None,
        limits: Vec::new(),
    }
}

fn mock() -> Result<Arc<dyn Unit>> {
    Ok(Arc::new(Mock::named("a GPU").unit()?))
}

fn broken() -> Result<Arc<dyn Unit>> {
    Err(Error::Device {
        device: "a GPU".into(),
        operation: "opening the device",
        message: "it is busy".into(),
    })
}

/// A device with two ways to it.
fn devices(first: fn() -> Result<Arc<dyn Unit>>) -> Devices {
    let mut device = Lazy::new(info("CUDA"), Box::new(first));
    device.or_else(info("wgpu/Vulkan"), Box::new(mock));
    let found = Found {
        accepted: vec![device],
        rejected: Vec::new(),
    };
    Devices {
        found: OnceLock::from((OwnerProcess::here(), found)),
        is_given: false,
        software_counts: false,
        limits: TimeLimits::default(),
    }
}

/// API, number, why it is not used.
fn told(devices: &Devices) -> Vec<(String, Option<usize>, String)> {
    let reports = devices.reports().into_iter();
    reports
        .map(|r| (r.info.api, r.index, r.rejected.unwrap_or_default()))
        .collect()
}

#[test]
fn a_device_has_one_way_to_it() {
    let devices = devices(mock);
    let one = |api: &str, index, why: &str| (api.to_owned(), index, why.to_owned());
    let expected = [one("CUDA", Some(0), ""), one("wgpu/Vulkan", None, BY_CUDA)];
    assert_eq!(told(&devices), expected);
    assert_eq!(
        (devices.driven_by("wgpu"), devices.driven_by("CUDA")),
        (None, Some(0))
    );
    assert!(devices.open(0).is_ok());
    assert_eq!(told(&devices), expected);
}

#[test]
fn where_the_first_way_fails_there_is_another() {
    for by_name in [false, true] {
        let devices = devices(broken);
        if by_name {
            // A call that names the API does not get another.
            assert_eq!(devices.driven_by("CUDA"), None);
            let error = devices.none("cuda").to_string();
            assert!(error.contains("it is busy"), "{error}");
        }
        assert!(devices.open(0).is_ok());
        let all = told(&devices);
        assert_eq!(
            (all[0].0.as_str(), all[0].1, all[0].2.as_str()),
            ("wgpu/Vulkan", Some(0), "")
        );
        assert_eq!((all[1].0.as_str(), all[1].1), ("CUDA", None));
        assert!(all[1].2.contains("it is busy"), "{all:?}");
        assert_eq!(devices.driven_by("wgpu"), Some(0));
    }
}

#[test]
fn without_any_way_the_first_one_says_why() {
    let mut devices = devices(broken);
    let (_, found) = devices.found.get_mut().unwrap();
    found.accepted[0].or_else(
        info("wgpu/Vulkan"),
        Box::new(|| {
            Err(Error::NoDevice {
                wanted: "it".into(),
                reason: "gone".into(),
            })
        }),
    );
    let error = devices.open(0).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("it is busy"), "{error}");
}

#[test]
fn a_driver_that_hangs_while_it_is_opened_is_given_up() {
    let (release, released) = std::sync::mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    let hangs = move || {
        let _released = released.lock().unwrap().recv();
        mock()
    };
    let device = Lazy::new(info("CUDA"), Box::new(hangs));
    for _ in 0..2 {
        let error = device
            .opened_now(impatient())
            .as_ref()
            .map(|_| ())
            .unwrap_err();
        assert!(matches!(error, Error::Device { .. }), "{error:?}");
        assert!(
            error.to_string().contains("took longer than 2ms"),
            "{error}"
        );
    }
    drop(release);
}

/// Limits that are over at once.
fn impatient() -> TimeLimits {
    let ms = Duration::from_millis(1);
    TimeLimits {
        watchdog: Some(ms.into()),
        compile_budget: Some(ms),
    }
}

#[test]
fn a_driver_that_hangs_while_it_lists_its_devices_has_none_and_is_asked_once() {
    let (release, released) = std::sync::mpsc::channel::<()>();
    let (ended, end) = std::sync::mpsc::channel::<()>();
    let hangs = move || {
        let _ended = ended;
        let _released = released.recv();
        vec!["a GPU"]
    };
    let reasons = |found: Found| {
        let reports = found.rejected.into_iter();
        reports.map(|report| report.to_string()).collect::<Vec<_>>()
    };
    let mut found = Found::default();
    assert!(listed(&mut found, impatient(), "an API", hangs).is_empty());
    let said = reasons(found);
    assert!(
        matches!(&said[..], [one] if one.contains("all devices of an API")
            && one.ends_with("asked which devices there are, and it took longer than 2ms")),
        "{said:?}"
    );
    // Another context does not wait for the same driver, and another API is not concerned.
    let (mut found, unlimited) = (Found::default(), TimeLimits::default());
    let never = || -> Vec<&str> { panic!("it is at it") };
    assert!(listed(&mut found, unlimited, "an API", never).is_empty());
    assert_eq!(listed(&mut found, unlimited, "another", || vec![1]), [1]);
    let said = reasons(found);
    assert!(
        matches!(&said[..], [one] if one.ends_with("has not answered yet")),
        "{said:?}"
    );
    // When it has answered, it is asked again.
    drop(release);
    let _gone = end.recv();
    loop {
        let mut found = Found::default();
        if listed(&mut found, unlimited, "an API", || vec![2]) == [2] {
            break assert_eq!(reasons(found), [""; 0]);
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_driver_that_panics_while_it_lists_its_devices_has_none() {
    let mut found = Found::default();
    let panics = || -> Vec<()> { panic!("expected by the test") };
    assert!(listed(&mut found, TimeLimits::default(), "a broken API", panics).is_empty());
    let reason = found.rejected[0].rejected.as_deref().unwrap();
    assert!(reason.ends_with("its driver has panicked"), "{reason}");
}

#[test]
fn a_driver_that_panics_while_it_is_opened_is_an_error() {
    let device = Lazy::new(info("CUDA"), Box::new(|| panic!("expected by the test")));
    let opened = device.opened_now(TimeLimits::default()).as_ref();
    let error = opened.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("panicked"), "{error}");
}

#[test]
fn opening_takes_as_long_as_watchdog_and_budget_say() {
    let opening = |watchdog: Option<u64>, budget: Option<u64>| {
        let limits = TimeLimits {
            watchdog: watchdog.map(|s| Duration::from_secs(s).into()),
            compile_budget: budget.map(Duration::from_secs),
        };
        limits.opening().map(|limit| limit.as_secs())
    };
    assert_eq!(opening(None, None), Some(90));
    assert_eq!(opening(Some(5), Some(2)), Some(7));
    assert_eq!(opening(Some(5), Some(0)), None);
    assert_eq!(opening(Some(0), None), None);
}
