//! What is chosen, against all combinations.

use crate::{
    RecordedRole::{Read, Update, Write},
    chain::{search::Search, sequence::Sequence, simulate::Simulation, test::*},
};

const N: usize = 1_000_000;

/// Shares of the CPU and one device.
fn two(cpu: f64) -> Vec<f64> {
    vec![cpu, 1.0 - cpu]
}

/// The least time of all combinations in steps of 5 %.
fn least(sequence: &Sequence<'_>) -> f64 {
    let mut combinations: Vec<Vec<Vec<f64>>> = vec![Vec::new()];
    for _ in &sequence.sites {
        let longer = |begun: Vec<Vec<f64>>| {
            (0..=20).map(move |k| [begun.clone(), vec![two(f64::from(k) / 20.0)]].concat())
        };
        combinations = combinations.into_iter().flat_map(longer).collect();
    }
    combinations
        .iter()
        .map(|shares| Simulation::run(sequence, shares))
        .fold(f64::INFINITY, f64::min)
}

/// The paper's PSNR, of images that a device has made: a map, whose result is reduced together with one of its
/// inputs.
fn psnr() -> (Vec<Event>, Vec<InstanceModel>, Vec<(UnitId, TransferModel)>) {
    let events = vec![
        call("load", N, &[(1, Write), (2, Write)]),
        call("map", N, &[(1, Read), (2, Read), (3, Write)]),
        call("map_reduce", N, &[(3, Read), (1, Read)]),
    ];
    let models = vec![
        model("load", N, &[None, Some((0.1, 0.0))], 50_000.0),
        model("map", N, &[Some((3.0, 0.0)), Some((2.0, 0.0))], 50_000.0),
        model(
            "map_reduce",
            N,
            &[Some((0.5, 0.0)), Some((0.1, 600_000.0))],
            50_000.0,
        ),
    ];
    let transfer = TransferModel {
        up_latency_ns: 1000.0,
        up_ns_per_byte: 0.1,
        down_latency_ns: 2000.0,
        down_ns_per_byte: 0.5,
    };
    (events, models, transfers(transfer))
}

#[test]
fn psnr_takes_what_it_takes_by_hand() {
    let (events, models, transfers) = psnr();
    let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
    let sequence = Sequence::new(&events, &models, &sizes, &transfers);
    let ns = |shares: [f64; 3]| Simulation::run(&sequence, &shares.map(two)).round();
    // On the device 0.1 ms, 2 ms and 0.7 ms; nothing moved between.
    assert_eq!(ns([0.0, 0.0, 0.0]), 100_000.0 + 2_000_000.0 + 700_000.0);
    // After 0.1 ms, 1.6 MB of each image down, 0.802 ms each. Then 1.2 ms on both sides, and what it takes for
    // being shared. For the CPU to reduce, 2.4 MB of the result and 2.4 MB of the image down, 1.202 ms each,
    // and 0.5 ms.
    let map = 100_000.0 + 2.0 * 802_000.0 + 1_200_000.0 + 50_000.0;
    assert_eq!(ns([0.0, 0.4, 1.0]), map + 2.0 * 1_202_000.0 + 500_000.0);
}

#[test]
fn psnr_is_all_on_the_device_together_and_not_alone() {
    let (events, models, transfers) = psnr();
    let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
    let sequence = Sequence::new(&events, &models, &sizes, &transfers);
    let alone = Search::new(&sequence).alone();
    assert_eq!(alone.shares, [two(0.0), two(0.4), two(1.0)]);

    let plan = choose(&events, &models, &transfers);
    let ids: Vec<&String> = plan.choices.iter().map(|(id, _)| id).collect();
    assert_eq!(
        ids,
        [&key("load").id(), &key("map").id(), &key("map_reduce").id()]
    );
    for (_, choice) in &plan.choices {
        assert_eq!(
            (choice.elems, &choice.shares[..]),
            (N, &[(unit(1), 1.0)][..])
        );
    }
    assert_eq!((plan.events, plan.exhaustive), (3, true));
    assert_eq!(plan.ns, least(&sequence));
    assert_eq!(plan.alone_ns, alone.ns);
}

#[test]
fn what_sharing_costs_is_not_hidden_behind_a_device_that_is_not_waited_for() {
    // A device that computes on the CPU's own cores: what is measured of the two at once is longer than what
    // the CPU takes alone. Results stay where they are, so the host waits for none of them.
    let events: Vec<Event> = (0..3)
        .map(|k| call("pull", N, &[(1, Read), (k + 2, Write)]))
        .collect();
    let laws = [Some((10.0, 0.0)), Some((12.0, 0.0))];
    let models = [model("pull", N, &laws, 7_000_000.0)];
    let transfers = transfers(TransferModel {
        up_latency_ns: 1.0,
        up_ns_per_byte: 0.01,
        down_latency_ns: 1.0,
        down_ns_per_byte: 0.01,
    });
    let plan = choose(&events, &models, &transfers);
    for (_, choice) in &plan.choices {
        assert_eq!(choice.shares, [(unit(0), 1.0)]);
    }
    assert_eq!(plan.ns.round(), 30.0 * N as f64);
}

#[test]
fn a_chain_has_a_common_split() {
    // Alone, the halves of the one and three quarters of the other are best, but each call would move a
    // quarter of the elements. Together the CPU computes 2 ns per element and the device 4: two thirds for the CPU.
    let calls = |_| {
        [
            call("even", N, &[(1, Update)]),
            call("uneven", N, &[(1, Update)]),
        ]
    };
    let events: Vec<Event> = (0..10).flat_map(calls).collect();
    let models = [
        model("even", N, &[Some((1.0, 100.0)), Some((1.0, 100.0))], 50.0),
        model("uneven", N, &[Some((1.0, 100.0)), Some((3.0, 100.0))], 50.0),
    ];
    let slow = TransferModel {
        up_latency_ns: 1e4,
        up_ns_per_byte: 2.0,
        down_latency_ns: 1e4,
        down_ns_per_byte: 2.0,
    };
    let transfers = transfers(slow);
    let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
    let sequence = Sequence::new(&events, &models, &sizes, &transfers);
    assert_eq!(Search::new(&sequence).alone().shares, [two(0.5), two(0.75)]);

    let plan = choose(&events, &models, &transfers);
    let shares: Vec<_> = plan
        .choices
        .iter()
        .map(|(_, choice)| choice.shares.clone())
        .collect();
    assert_eq!(shares[0], shares[1]);
    assert!((0.65..=0.70).contains(&shares[0][0].1), "{shares:?}");
    assert!(
        plan.ns <= least(&sequence) && plan.ns < 0.8 * plan.alone_ns,
        "{plan:?}"
    );
}

#[test]
fn what_the_curves_may_be_off_by_is_not_split_for() {
    // The CPU alone takes 1.1 ms for both; a tenth of the first on the device, whose result comes back, a little less.
    let events = [
        call("map", N, &[(1, Read), (2, Write)]),
        call("sum", N, &[(2, Read)]),
    ];
    let transfer = TransferModel {
        up_ns_per_byte: 0.01,
        down_ns_per_byte: 0.01,
        ..TransferModel::default()
    };
    let plan_where = |relative_rms: f64| {
        let mut map = model("map", N, &[Some((1.0, 0.0)), Some((9.0, 0.0))], 0.0);
        map.classes[0].units[1].fit.relative_rms = relative_rms;
        let sum = model("sum", N, &[Some((0.1, 0.0)), None], 0.0);
        choose(&events, &[map, sum], &transfers(transfer))
    };
    let sure = plan_where(0.0);
    assert!(sure.unsure_ns == 0.0 && sure.ns < 1.02e6, "{sure:?}");
    // A tenth of 0.9 ms is about what is gained.
    let unsure = plan_where(0.1);
    assert_eq!(unsure.ns, sure.ns);
    assert!(
        unsure.unsure_ns > 8e4 && unsure.choices.is_empty(),
        "{unsure:?}"
    );
}

#[test]
fn each_call_at_its_turn_may_be_better() {
    // The same instance on what lies here and on what lies there: no shares fit both.
    let events = [
        call("load", N, &[(2, Write)]),
        call("f", N, &[(1, Update)]),
        call("f", N, &[(2, Update)]),
    ];
    let models = [
        model("load", N, &[None, Some((0.0, 0.0))], 0.0),
        model("f", N, &[Some((1.0, 0.0)), Some((1.0, 0.0))], 0.0),
    ];
    let slow = TransferModel {
        up_ns_per_byte: 100.0,
        down_ns_per_byte: 100.0,
        ..TransferModel::default()
    };
    let plan = choose(&events, &models, &transfers(slow));
    // One on the CPU, and then the other on the device.
    assert_eq!(plan.each_ns, 2e6);
    assert!(plan.ns > 1e8 && plan.choices.is_empty(), "{plan:?}");
}

#[test]
fn waiting_for_devices_gains_less_from_them() {
    // The device computes while the CPU goes on, or does not: 2 ms beside 1 ms, or after it.
    let events = [
        call("there", N, &[(1, Update)]),
        call("here", N, &[(2, Update)]),
    ];
    let models = [
        model("there", N, &[None, Some((2.0, 0.0))], 0.0),
        model("here", N, &[Some((1.0, 0.0)), None], 0.0),
    ];
    let ns = |waits| choose_where(waits, &events, &models, &[]).ns;
    assert_eq!((ns(Waits::ForUploads), ns(Waits::ForDevices)), (2e6, 3e6));
}

#[test]
fn choices_come_to_their_models() {
    let (events, mut models, transfers) = psnr();
    models.push(model("other", N, &[Some((1.0, 0.0))], 0.0));
    let earlier = ChainChoice {
        elems: N,
        beside_elems: 0,
        shares: vec![(unit(0), 1.0)],
    };
    for model in &mut models {
        (model.chain, model.read_back) = (vec![earlier.clone()], 0.75);
    }
    let plan = apply(Waits::ForUploads, &mut models, &events, &transfers).unwrap();
    assert!(plan.ns <= plan.each_ns);
    let shares: Vec<usize> = models.iter().map(|model| model.chain.len()).collect();
    assert_eq!(shares, [1, 1, 1, 1]);
    // What was not called is as it was.
    assert_eq!(
        (&models[3].chain, models[3].read_back),
        (&vec![earlier], 0.75)
    );
    assert!(models[..3].iter().all(|model| model.read_back != 0.75));
    assert_eq!(
        models[1].chain_choice(N, 0).map(|c| &c.shares[..]),
        Some(&[(unit(1), 1.0)][..])
    );
}

#[test]
fn without_a_model_there_is_nothing_to_choose() {
    let events = [
        call("map", N, &[(1, Read), (2, Write)]),
        Event::Read {
            buffer: 2,
            from: 0,
            to: N,
        },
    ];
    let plan = choose(&events, &[], &[]);
    assert_eq!((plan.choices, plan.ns), (vec![], 0.0));
    assert_eq!(choose(&[], &[], &[]).events, 0);
}

#[test]
fn what_was_verified_is_best_alone() {
    let events = [call("map", N, &[(1, Update)])];
    let mut models = [model("map", N, &[Some((1.0, 0.0)), Some((1.0, 0.0))], 0.0)];
    let alone = |models: &[InstanceModel]| {
        let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
        let sequence = Sequence::new(&events, models, &sizes, &[]);
        Search::new(&sequence).alone().shares[0].clone()
    };
    assert_eq!(alone(&models), two(0.5));
    models[0].classes[0].best = Some(vec![(unit(0), 0.75), (unit(1), 0.25)]);
    assert_eq!(alone(&models), two(0.75));
    // Of a foreign file, only the proportions count.
    models[0].classes[0].best = Some(vec![(unit(0), 0.5), (unit(1), 1.0)]);
    assert_eq!(alone(&models), [0.5 / 1.5, 1.0 / 1.5]);
    for bad in [
        vec![],
        vec![(unit(0), f64::NAN)],
        vec![(unit(0), 7.0)],
        vec![(unit(2), 1.0)],
    ] {
        models[0].classes[0].best = Some(bad);
        assert_eq!(alone(&models), two(0.5));
    }
}

#[test]
fn a_weak_model_is_not_split() {
    let events = [call("map", N, &[(1, Update)])];
    let mut models = [model("map", N, &[Some((1.0, 0.0)), Some((1.0, 0.0))], 0.0)];
    let shares = |models: &[InstanceModel]| {
        let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
        let sequence = Sequence::new(&events, models, &sizes, &[]);
        Search::new(&sequence).best().1.shares[0].clone()
    };
    assert_eq!(shares(&models), two(0.5));
    // One call is as well predicted at its turn: nothing is chosen beforehand.
    assert_eq!(choose(&events, &models, &[]).choices, []);
    models[0].classes[0].quality = Quality::Weak(crate::Reason::Drift);
    assert_eq!(shares(&models), two(1.0));
}

#[test]
fn three_unlike_units_share_by_their_speed() {
    let events = [call("f", N, &[(1, Update)]), call("g", N, &[(1, Update)])];
    let laws = [Some((1.0, 0.0)), Some((0.5, 0.0)), Some((0.25, 0.0))];
    let models = [model("f", N, &laws, 0.0), model("g", N, &laws, 0.0)];
    let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
    let sequence = Sequence::new(&events, &models, &sizes, &[]);
    let (exhaustive, best) = Search::new(&sequence).best();
    // One, two and four sevenths, and a hundredth or so beside.
    assert!(exhaustive && best.ns <= 2e6 / 7.0 * 1.02, "{best:?}");
    for shares in best.shares {
        for (share, exact) in shares.iter().zip([1.0, 2.0, 4.0]) {
            assert!((share - exact / 7.0).abs() <= 0.02, "{shares:?}");
        }
    }
    // What is predicted for each call is exact, and nothing has to be moved: that is better.
    let plan = choose(&events, &models, &[]);
    assert!(
        (plan.each_ns - 2e6 / 7.0).abs() < 2.0 && plan.choices.is_empty(),
        "{plan:?}"
    );
}

/// SplitMix64, as a number from 0 to 1.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A program of some calls of some instances over four containers.
fn program(
    seed: u64,
    instances: usize,
    calls: usize,
) -> (Vec<Event>, Vec<InstanceModel>, Vec<(UnitId, TransferModel)>) {
    let mut state = seed;
    let mut number = |below: f64| random(&mut state) * below;
    let name = |k: usize| format!("f{k}");
    let events = (0..calls).map(|k| {
        let buffer = |x: f64| x as u64;
        let (a, b) = (buffer(number(4.0)), buffer(number(4.0)));
        let operands = match number(3.0) as usize {
            0 => vec![(a, Read), (b, Write)],
            1 => vec![(a, Update)],
            _ => vec![(a, Read), (b, Read)],
        };
        match number(8.0) as usize {
            0 if k > 0 => Event::Read {
                buffer: a,
                from: 0,
                to: N,
            },
            _ => call(&name(k % instances), N, &operands),
        }
    });
    let events = events.collect();
    let models = (0..instances).map(|k| {
        let mut law = || Some((0.1 + number(3.0), number(3e5)));
        let laws = [law(), law()];
        model(&name(k), N, &laws, 1e4)
    });
    let models = models.collect();
    let transfer = TransferModel {
        up_latency_ns: 1e4,
        up_ns_per_byte: number(0.5),
        down_latency_ns: 1e4,
        down_ns_per_byte: number(0.5),
    };
    (events, models, transfers(transfer))
}

#[test]
fn random_chains_reach_the_best_combination() {
    for seed in 0..30 {
        let (events, models, transfers) = program(seed, 2, 6);
        let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
        let sequence = Sequence::new(&events, &models, &sizes, &transfers);
        let plan = choose(&events, &models, &transfers);
        assert!(plan.exhaustive);
        assert!(plan.ns <= least(&sequence), "seed {seed}: {plan:?}");
        assert_eq!(plan, choose(&events, &models, &transfers));
    }
}

#[test]
fn downhill_comes_close_to_the_best_combination() {
    let mut worst = 1.0_f64;
    for seed in 0..30 {
        let (events, models, transfers) = program(seed, 3, 9);
        let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
        let sequence = Sequence::new(&events, &models, &sizes, &transfers);
        let (all, downhill) = (
            Search::new(&sequence).exhaustive(),
            Search::new(&sequence).downhill(),
        );
        worst = worst.max(downhill.ns / all.unwrap().ns);
    }
    assert!(worst <= 1.03, "{worst}");
}

#[test]
fn long_programs_are_bounded() {
    let (events, models, transfers) = program(5, 12, 100_000);
    let plan = choose(&events, &models, &transfers);
    assert!(
        !plan.exhaustive && plan.events < 1100,
        "{} events",
        plan.events
    );
    assert!(plan.ns <= plan.alone_ns);
    let expected = if plan.each_ns < plan.ns { 0 } else { 12 };
    assert_eq!(plan.choices.len(), expected);
}
