//! Journals and models that were never measured: whatever they say, something is chosen.

use crate::chain::test::*;
use proptest::prelude::*;

fn size() -> impl Strategy<Value = usize> {
    prop_oneof![0..20_usize, any::<usize>(), Just(usize::MAX)]
}

fn time() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        Just(f64::NAN),
        Just(f64::INFINITY),
        0.0..1e3_f64
    ]
}

fn event() -> impl Strategy<Value = Event> {
    use RecordedRole::{Read, Update, Whole, Window, Write};
    let role = prop::sample::select(vec![Read, Write, Update, Whole, Window]);
    let operand =
        (0..3_u64, role, size(), size()).prop_map(|(buffer, role, elems, bytes_per_elem)| {
            RecordedOperand {
                buffer,
                role,
                elems,
                bytes_per_elem,
            }
        });
    let operands = prop::collection::vec(operand, 0..3);
    let call =
        (0..3_usize, size(), size(), operands).prop_map(|(site, elems, beside_elems, operands)| {
            Event::Call(RecordedCall {
                id: key(["f", "g", "unknown"][site]).id(),
                elems,
                beside_elems,
                operands,
            })
        });
    let read =
        (0..3_u64, size(), size()).prop_map(|(buffer, from, to)| Event::Read { buffer, from, to });
    prop_oneof![3 => call, 1 => read]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 64 }))]

    #[test]
    fn something_is_chosen(
        events in prop::collection::vec(event(), 0..4),
        laws in prop::array::uniform4((time(), time())),
        moving in prop::array::uniform4(time()),
        elems in size(),
        (overhead, read_back) in (time(), time()),
        best in prop::collection::vec((0..4_usize, time()), 0..3),
    ) {
        let laws = laws.map(Some);
        let mut models = [model("f", elems, &laws[..2], overhead), model("g", elems, &laws[2..], overhead)];
        models[0].read_back = read_back;
        models[0].classes[0].best = Some(best.into_iter().map(|(k, share)| (unit(k), share)).collect());
        let [up_latency_ns, up_ns_per_byte, down_latency_ns, down_ns_per_byte] = moving;
        let transfer = TransferModel { up_latency_ns, up_ns_per_byte, down_latency_ns, down_ns_per_byte };
        let plan = choose(&events, &models, &transfers(transfer));
        prop_assert!(plan.ns >= 0.0 && plan.each_ns >= 0.0 && plan.alone_ns >= plan.ns * (1.0 - 1e-12), "{:?}", plan);
        for (_, choice) in plan.choices {
            let sum: f64 = choice.shares.iter().map(|(_, share)| share).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{:?}", choice);
        }
    }
}
