//! What the host has overwritten is not spilled when its array leaves a device.

use skel::{
    Context,
    mock::{Mock, Operation},
    prelude::*,
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

const N: usize = 100;

#[user_function]
fn own(at: Index1) -> u32 {
    at.i as u32
}

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

/// A device with room for two of the arrays, which counts downloads.
fn two() -> (Context, Arc<AtomicUsize>) {
    let downloads = Arc::<AtomicUsize>::default();
    let counter = Arc::clone(&downloads);
    let mock = Mock::named("full").before_each(move |operation| {
        let is_download = operation == Operation::Download;
        counter.fetch_add(usize::from(is_download), Ordering::Relaxed);
    });
    let unit = mock.unit().expect("a mock device");
    let unit = unit.with_memory_cap(2 * 4 * N as u64);
    let context = Context::builder().unit(unit).build();
    (context.expect("a context of a mock"), downloads)
}

fn made(context: &Context) -> Vector<u32> {
    let make = map!(own).within(context.clone()).on(Device(0));
    make.run_shaped(N, ()).expect("there is room")
}

fn own_of(x: &Vector<u32>) -> bool {
    let host = x.host().expect("it is somewhere");
    host.iter().enumerate().all(|(i, x)| *x == i as u32)
}

#[test]
fn what_the_host_has_overwritten_is_not_copied() {
    let (context, downloads) = two();
    let mut first = made(&context);
    map!(double)
        .within(context.clone())
        .on(Cpu)
        .run_into((&vec![3; N],), &mut first)
        .expect("on the host");
    let others = [made(&context), made(&context)];
    context.sync().expect("all went well");
    assert_eq!(downloads.load(Ordering::Relaxed), 0);
    assert_eq!(first.host().expect("on the host")[..], [6; N]);
    assert!(others.iter().all(own_of));
}

#[test]
fn of_what_was_overwritten_in_part_the_rest_is_copied() {
    let (context, downloads) = two();
    let mut first = made(&context);
    map!(double)
        .within(context.clone())
        .on(Cpu)
        .run_into((&vec![3; N / 2],), first.part_mut(0..N / 2))
        .expect("on the host");
    let others = [made(&context), made(&context)];
    context.sync().expect("all went well");
    assert_eq!(downloads.load(Ordering::Relaxed), 1);
    let host = first.host().expect("somewhere");
    assert_eq!(host[..N / 2], [6; N / 2]);
    assert!((N / 2..N).all(|i| host[i] == i as u32));
    assert!(others.iter().all(own_of));
}

#[test]
fn what_the_device_writes_after_the_host_is_copied() {
    let (context, _) = two();
    let on = |target: Target| map!(bump).within(context.clone()).on(target);
    let mut first = made(&context);
    // The host's copy is sent there, and changed there; or it is written anew.
    on(Cpu.into()).run((&mut first,)).expect("on the host");
    on(Device(0).into()).run((&mut first,)).expect("there");
    let mut second = made(&context);
    on(Cpu.into()).run((&mut second,)).expect("on the host");
    map!(own)
        .within(context.clone())
        .on(Device(0))
        .run_into((), &mut second)
        .expect("there");
    // Both have to leave.
    let others = [made(&context), made(&context)];
    context.sync().expect("all went well");
    let host = first.host().expect("somewhere");
    assert!((0..N).all(|i| host[i] == i as u32 + 2));
    assert!(own_of(&second) && others.iter().all(own_of));
}
