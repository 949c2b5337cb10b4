//! Any bytes as a tuning file: never a panic, and of what is taken every number is in range, and written
//! and read again as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skel_model::{json::Json, policy::{predict, UnitCost}, Sizes, TuningFile};

fuzz_target!(|text: &[u8]| {
    if let Ok(json) = Json::parse(text) {
        let again = Json::parse(json.to_string().as_bytes());
        assert_eq!(again, Ok(json));
    }
    let Ok(file) = TuningFile::from_text(text) else {
        return;
    };
    for instance in file.machines.iter().flat_map(|m| &m.instances) {
        let sizes = Sizes::of(instance);
        for elems in [0, 1, 1000, usize::MAX] {
            let Some((class, _)) = instance.class(elems, 0) else {
                continue;
            };
            let units = class.units.iter();
            let costs = units.map(|unit| sizes.curve(class, unit, elems));
            let costs: Vec<_> = costs.map(|c| UnitCost::new(c.curve, c.factor)).collect();
            if let Some(found) = predict(elems, &costs, class.split_overhead_ns, &[]) {
                assert!(
                    found.ns.is_finite() && found.ns >= 0.0,
                    "{} for {elems}",
                    found.ns
                );
                assert_eq!(found.sizes.iter().sum::<usize>(), elems);
            }
        }
    }
    assert_eq!(TuningFile::from_text(file.to_text().as_bytes()), Ok(file));
});
