//! Runs of samples, and what follows from them.

use super::*;
use std::{sync::Barrier, thread};

#[test]
fn the_faster_face_is_kept_and_one_interruption_does_not_count() {
    let mut evidence = Evidence::default();
    for k in 0..ENOUGH {
        assert_eq!(evidence.verdict(), None);
        evidence.add(Face::Scalar, 10.0);
        evidence.add(Face::Lanes, if k == 2 { 1e6 } else { 2.0 });
    }
    assert_eq!(evidence.verdict(), Some(Face::Lanes));
    for _ in 0..KEPT {
        evidence.add(Face::Scalar, 1.0);
    }
    assert_eq!(evidence.verdict(), Some(Face::Scalar));
}

#[test]
fn runs_alternate_until_there_is_a_verdict() {
    let (choice, width) = (Choice::of(TypeId::of::<Evidence>(), &|| true), isa::lanes());
    if width == 0 {
        return;
    }
    let mut left = 1 << 16;
    let mut turns = choice.turns(1 << 20, left);
    let mut samples = Vec::new();
    let mut all = 0;
    while left > 0 {
        let turn = turns.next(left);
        all += 1;
        samples.extend(turn.is_measured().then_some(turn.face));
        assert!(turn.elems > 0 && turn.elems <= left);
        left -= turn.elems;
        turns.done(&turn, turn.elems);
    }
    let runs = 2 * ENOUGH / RUN;
    assert_eq!(all, runs * (SETTLING + RUN) + 1);
    let run = |k| {
        if k % 2 == 0 {
            Face::Lanes
        } else {
            Face::Scalar
        }
    };
    let expected: Vec<Face> = (0..runs).flat_map(|k| [run(k); RUN]).collect();
    assert_eq!(samples, expected);
    // What is known is looked at again now and then, both faces in the same piece.
    let timed = |_| choice.turns(1 << 20, 1 << 16).next(1 << 16).elems != 1 << 16;
    let again = (0..AGAIN).map(timed).filter(|timed| *timed).count();
    assert_eq!(again as u32, 1 + AGAIN.ilog2());
    let again = (0..9 * AGAIN).map(timed).filter(|timed| *timed).count();
    assert_eq!(again, 9);
    let mut turns = choice.turns(1 << 20, 1 << 16);
    while !matches!(turns.sampling, Sampling::Runs { .. }) {
        turns = choice.turns(1 << 20, 1 << 16);
    }
    let faces: Vec<Face> = (0..2 * (SETTLING + RUN))
        .map(|_| turns.next(1 << 16).face)
        .collect();
    let (one, two) = faces.split_at(SETTLING + RUN);
    assert!(one.iter().all(|face| *face == one[0]));
    assert!(two.iter().all(|face| *face == other(one[0])));
    assert_eq!(turns.next(1 << 16).elems, 1 << 16);
    choice.never_again();
    assert_eq!(
        choice.turns(1 << 20, 1 << 16).next(1 << 16).face,
        Face::Scalar
    );
}

#[test]
fn runs_of_short_pieces_and_of_whole_ones_alternate_as_well() {
    struct Short;
    struct Whole;
    let width = isa::lanes();
    if width == 0 {
        return;
    }
    let of_short = Choice::of(TypeId::of::<Short>(), &|| true);
    let short = || of_short.turns(1000, 1000).next(1000);
    let of_whole = Choice::of(TypeId::of::<Whole>(), &|| true);
    let whole = || of_whole.whole(1 << 20, 5000);
    for (choice, piece) in [
        (of_short, &short as &dyn Fn() -> Turn<'static>),
        (of_whole, &whole),
    ] {
        let mut samples = Vec::new();
        for _ in 0..2 * ENOUGH / RUN * (SETTLING + RUN) {
            let turn = piece();
            samples.extend(turn.is_measured().then_some(turn.face));
            turn.done(1000);
        }
        let run = |k| {
            if k % 2 == 0 {
                Face::Lanes
            } else {
                Face::Scalar
            }
        };
        let expected: Vec<Face> = (0..2 * ENOUGH / RUN).flat_map(|k| [run(k); RUN]).collect();
        assert_eq!(samples, expected);
        assert!(!piece().is_measured());
        assert_eq!(choice.whole(1 << 20, width - 1).face, Face::Scalar);
    }
}

#[test]
fn threads_settle_by_what_they_have_computed_themselves() {
    struct Shared;
    if isa::lanes() == 0 {
        return;
    }
    let (choice, step) = (
        Choice::of(TypeId::of::<Shared>(), &|| true),
        Barrier::new(4),
    );
    let turns = || {
        let turn = |_| {
            step.wait();
            let turn = choice.whole(1 << 20, 5000);
            let measured = turn.is_measured();
            turn.done(5000);
            (turn.face, measured)
        };
        (0..20).map(turn).collect::<Vec<_>>()
    };
    let of_threads = thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(turns));
        threads.map(|thread| thread.join().unwrap())
    });
    let mut measured = 0;
    for turns in of_threads {
        for (k, (face, _)) in turns.iter().enumerate().filter(|(_, turn)| turn.1) {
            let before = &turns[k - SETTLING..k];
            assert!(before.iter().all(|(other, _)| other == face), "{turns:?}");
            measured += 1;
        }
    }
    assert!(measured > 0);
}

/// What takes long by itself is sampled by few elements, so that a piece of few hundreds tells.
#[test]
fn elements_that_take_long_are_told_apart_within_a_short_piece() {
    struct Long;
    let width = isa::lanes();
    if width == 0 {
        return;
    }
    let choice = Choice::of(TypeId::of::<Long>(), &|| true);
    let elems = 2 * ENOUGH / RUN * (SETTLING + RUN) * width + 5;
    let took = |turn: &Turn<'_>| {
        let block_ns = match turn.face {
            Face::Scalar => 3.0 * SAMPLE_NS,
            Face::Lanes => 1.5 * SAMPLE_NS,
        };
        Duration::from_nanos((block_ns * turn.elems as f32 / width as f32) as u64)
    };
    let piece = |elems: usize| {
        let (mut turns, mut left, mut taken) = (choice.turns(elems, elems), elems, 0);
        while left > 0 {
            let turn = turns.next(left);
            if let Some(face) = turn.took(took(&turn), turn.elems) {
                turns.know(face);
            }
            (left, taken) = (left - turn.elems, taken + 1);
        }
        taken
    };
    assert_eq!(piece(elems), 1);
    assert_eq!(piece(elems), 2 * ENOUGH / RUN * (SETTLING + RUN) + 1);
    assert_eq!(choice.whole(elems, elems).face, Face::Lanes);
}

/// An element that seemed to take long, since the thread was interrupted, gives no samples that are too short.
#[test]
fn samples_of_few_elements_have_to_take_long() {
    struct Light;
    let width = isa::lanes();
    if width == 0 {
        return;
    }
    let record = Choice::of(TypeId::of::<Light>(), &|| true).record(1000, width);
    record.add(
        Face::Scalar,
        Duration::from_millis(1),
        100,
        Purpose::Estimate,
    );
    assert_eq!(record.sample(width), (width, Purpose::ShortSample));
    record.add(
        Face::Scalar,
        Duration::from_nanos(20),
        16,
        Purpose::ShortSample,
    );
    assert_eq!(
        record.sample(width),
        (SAMPLE / width * width, Purpose::Sample)
    );
    assert_eq!(record.evidence.lock().unwrap().scalar.seen, 0);
}
