//! Buffers that stand for another one, and what they may not do.

use crate::{
    Error,
    container::{Buffer, BufferMut, Vector},
    frame::View,
    space::IntervalSet,
    unit::NodeId,
};
use skel_tasks::TaskError;
use std::{ops::Range, thread};

fn granted(home: &Buffer, reads: Range<usize>, writes: Range<usize>) -> Buffer {
    // SAFETY: the tests keep the home, and grant no element twice to be written.
    unsafe { home.granted(IntervalSet::of(reads), IntervalSet::of(writes)) }
}

/// What a call does on the host with what it may write.
fn write(grant: &mut Buffer, r: Range<usize>, value: impl Fn(usize) -> u32) {
    let mut target = BufferMut::new(grant);
    let values: Vec<u32> = r.clone().map(value).collect();
    let mut out = target.lend_out(r.clone());
    out.copy_from_bytes(View::of(&values).bytes()).unwrap();
    // SAFETY: they have just been written.
    unsafe { target.wrote(NodeId::HOST, r) };
}

fn elements(buffer: &Buffer, r: Range<usize>) -> Vec<u32> {
    buffer.host_view(r.clone()).unwrap().slice(r).to_vec()
}

#[test]
fn two_write_and_one_reads_at_the_same_time() {
    let home = Vector::from((0..30_u32).collect::<Vec<_>>());
    thread::scope(|scope| {
        let home = home.buffer();
        for begin in [0, 10] {
            let mut grant = granted(home, 0..0, begin..begin + 10);
            scope.spawn(move || {
                for round in 1..=10 {
                    write(&mut grant, begin..begin + 10, |k| k as u32 * round);
                }
                assert_eq!(elements(&grant, begin..begin + 1), [10 * begin as u32]);
            });
        }
        let grant = granted(home, 20..30, 0..0);
        scope.spawn(move || {
            for _ in 0..10 {
                assert_eq!(elements(&grant, 20..30), (20..30).collect::<Vec<_>>());
            }
        });
    });
    let all = elements(home.buffer(), 0..30);
    let expected = (0..30).map(|k| if k < 20 { 10 * k } else { k });
    assert_eq!(all, expected.collect::<Vec<u32>>());
    assert!(home.buffer().is_complete_on_host());
}

#[test]
fn other_elements_are_not_reached() {
    let home = Vector::from((0..30_u32).collect::<Vec<_>>());
    let grant = granted(home.buffer(), 5..10, 0..0);
    let refused = |r: Range<usize>| {
        let error = grant.host_view(r.clone()).map(drop).unwrap_err();
        let Range { start, end } = r;
        let expected = TaskError::NotOfChunk { start, end };
        assert!(
            matches!(error, Error::Task(error) if error == expected),
            "{start}..{end}"
        );
    };
    assert_eq!(elements(&grant, 6..9), [6, 7, 8]);
    refused(4..6);
    refused(9..11);
    refused(20..30);
    assert!(grant.copy_to_host().is_err());
    // SAFETY: nothing is queued anywhere.
    let uploaded = unsafe { grant.upload_missing(NodeId::unique(), 0..6, |_| ()) };
    assert!(uploaded.is_err());
    let outline = home.buffer().outline();
    assert_eq!(outline.len(), 30);
    assert!(outline.host_view(0..1).is_err() && outline.host_view(3..3).is_ok());
}

#[test]
#[should_panic(expected = "elements 9..11 of a chunk that may write [5..10]")]
fn other_elements_are_not_written() {
    let home = Vector::from(vec![0_u32; 30]);
    let mut grant = granted(home.buffer(), 0..30, 5..10);
    write(&mut grant, 9..11, |_| 1);
}

#[test]
fn a_call_that_fails_poisons_what_it_was_to_write_and_nothing_else() {
    let home = Vector::from((0..30_u32).collect::<Vec<_>>());
    let mut grant = granted(home.buffer(), 0..30, 5..10);
    let mut target = BufferMut::new(&mut grant);
    let _ = target.lend_out(5..10);
    let instance = "test".to_owned();
    target.poison(&Error::EmptyReduce { instance }.into());
    drop(grant);
    // Another one fails elsewhere, for another reason.
    let mut grant = granted(home.buffer(), 0..0, 10..12);
    let mut target = BufferMut::new(&mut grant);
    let _ = target.lend_out(10..12);
    target.poison(&Error::Task(TaskError::Taken).into());
    drop(grant);
    let cause = |r| match home.buffer().host_view(r).map(drop) {
        Err(Error::Poisoned { cause }) => cause.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(cause(9..10).contains("test"), "{}", cause(9..10));
    assert_eq!(cause(10..11), TaskError::Taken.to_string());
    let mut grant = granted(home.buffer(), 0..0, 10..12);
    write(&mut grant, 10..12, |k| k as u32);
    drop(grant);
    for poisoned in [5..6, 9..10, 0..30] {
        let read = home.buffer().host_view(poisoned).map(drop);
        assert!(matches!(read, Err(Error::Poisoned { .. })), "{read:?}");
    }
    assert_eq!(elements(home.buffer(), 0..5), [0, 1, 2, 3, 4]);
    assert_eq!(elements(home.buffer(), 10..11), [10]);
    let mut grant = granted(home.buffer(), 0..0, 5..10);
    write(&mut grant, 5..10, |k| k as u32);
    drop(grant);
    assert_eq!(
        elements(home.buffer(), 0..30),
        (0..30).collect::<Vec<u32>>()
    );
}

#[test]
fn a_grant_of_a_grant_reaches_what_both_may() {
    let home = Vector::from((0..30_u32).collect::<Vec<_>>());
    let outer = granted(home.buffer(), 5..15, 15..20);
    let inner = granted(&outer, 0..30, 12..30);
    assert_eq!(elements(&inner, 5..20), (5..20).collect::<Vec<_>>());
    for beyond in [4..6, 19..21, 25..26] {
        let Err(Error::Task(TaskError::NotOfChunk { start, end })) =
            inner.host_view(beyond.clone())
        else {
            panic!("{beyond:?} are reached");
        };
        assert_eq!(start..end, beyond);
    }
    assert_eq!(inner.writable(0..30), [15..20]);
    let none = granted(&home.buffer().outline(), 0..30, 0..30);
    assert!(none.host_view(0..1).is_err());
    assert!(none.writable(0..30).is_empty());
}
