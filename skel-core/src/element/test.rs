use super::*;
use crate::frame::{ElementLayout, InvalidBytes, ViewMut};

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Flags {
    on: [bool; 3],
    count: u8,
}

impl Fields for Flags {
    const FIELDS: &'static [Field] = &[
        Field::of::<[bool; 3]>(std::mem::offset_of!(Self, on)),
        Field::of::<u8>(std::mem::offset_of!(Self, count)),
    ];

    fn shape() -> Ty {
        Ty::Unit
    }
}

#[test]
fn bytes_are_checked_where_the_field_lies() {
    let check = check_of_struct::<Flags>().unwrap();
    assert!(check(&[0, 1, 1, 200, 1, 1, 0, 2]));
    assert!(!check(&[0, 1, 1, 200, 1, 2, 0, 2]));
    assert!(!check(&[0, 1, 1]));
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Plain {
    x: f32,
    n: [u32; 2],
}

impl Fields for Plain {
    const FIELDS: &'static [Field] = &[
        Field::of::<f32>(std::mem::offset_of!(Self, x)),
        Field::of::<[u32; 2]>(std::mem::offset_of!(Self, n)),
    ];

    fn shape() -> Ty {
        Ty::Unit
    }
}

#[test]
fn numbers_need_no_check() {
    assert!(check_of_struct::<Plain>().is_none());
    assert!(<[[u64; 2]; 3]>::CHECK.is_none());
    assert!(ElementLayout::of::<f64>().is_valid(&[0xFF; 16]));
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Gap {
    tag: u8,
    x: f32,
}

impl Fields for Gap {
    const FIELDS: &'static [Field] = &[
        Field::of::<u8>(std::mem::offset_of!(Self, tag)),
        Field::of::<f32>(std::mem::offset_of!(Self, x)),
    ];

    fn shape() -> Ty {
        Ty::Unit
    }
}

#[test]
#[should_panic(expected = "no unused bytes before a field")]
fn a_gap_is_refused() {
    let _ = check_of_struct::<Gap>();
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Tail {
    x: f32,
    tag: u8,
}

impl Fields for Tail {
    const FIELDS: &'static [Field] = &[
        Field::of::<f32>(std::mem::offset_of!(Self, x)),
        Field::of::<u8>(std::mem::offset_of!(Self, tag)),
    ];

    fn shape() -> Ty {
        Ty::Unit
    }
}

#[test]
#[should_panic(expected = "no unused bytes at its end")]
fn a_gap_at_the_end_is_refused() {
    let _ = check_of_struct::<Tail>();
}

#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Aligned {
    x: [f32; 4],
}

impl Fields for Aligned {
    const FIELDS: &'static [Field] = &[Field::of::<[f32; 4]>(std::mem::offset_of!(Self, x))];

    fn shape() -> Ty {
        Ty::Unit
    }
}

#[test]
#[should_panic(expected = "aligned as its fields are")]
fn an_alignment_that_no_field_has_is_refused() {
    let _ = check_of_struct::<Aligned>();
}

#[test]
fn an_enum_lies_as_its_integer_does() {
    #[repr(u8)]
    enum Plain {
        A,
    }
    #[repr(u8, align(4))]
    enum Padded {
        A,
    }
    assert!(is_integer::<Plain, u8>() && !is_integer::<Padded, u8>());
    assert!(!is_integer::<Plain, u32>());
    assert_eq!((Plain::A as u8, Padded::A as u8), (0, 0));
}

#[test]
fn enums_are_their_discriminants() {
    let bytes: Vec<u8> = [3_i16, -1, 0]
        .iter()
        .flat_map(|x| x.to_ne_bytes())
        .collect();
    assert!(i16::are(&bytes, &[0, 3, -1]));
    assert!(!i16::are(&bytes, &[0, 3]));
    assert!(!i16::are(&bytes[1..], &[0, 3, -1]));
}

#[test]
fn zero_is_found_among_discriminants() {
    assert!(has_zero(&[-1, 0, 3]));
    assert!(!has_zero(&[1, 2]));
}

#[test]
fn all_bytes_zero_are_a_value() {
    let values = (zero::<f64>(), zero::<bool>(), zero::<[i16; 3]>());
    assert_eq!(values, (0.0, false, [0; 3]));
}

#[test]
fn arrays_of_bool_are_checked_when_they_come_from_a_device() {
    let mut data = [[false; 2]; 2];
    ViewMut::of(&mut data)
        .into_out()
        .copy_from_bytes(&[1, 0, 0, 1])
        .unwrap();
    assert_eq!(data, [[true, false], [false, true]]);
}

#[test]
fn what_is_no_bool_in_an_array_is_refused_and_nothing_is_written() {
    let mut data = [[false; 2]; 2];
    let mut out = ViewMut::of(&mut data).into_out();
    assert_eq!(out.copy_from_bytes(&[1, 0, 3, 1]), Err(InvalidBytes));
    assert_eq!(data, [[false; 2]; 2]);
}

#[test]
fn values_go_there_and_back() {
    fn both<T: Element + PartialEq + std::fmt::Debug>(x: T) {
        let value = x.to_value();
        assert_eq!(value.ty(), T::ty());
        assert_eq!(T::from_value(&value), Some(x));
        assert_eq!(T::from_value(&Value::Unit), None);
    }
    both(-5_i8);
    both(u64::MAX);
    both(isize::MIN);
    both([[1.5_f32, 2.5], [3.5, 4.5]]);
    assert_eq!(<[u8; 2]>::from_value(&[1_u8, 2, 3].to_value()), None);
    assert_eq!(<[u8; 2]>::from_value(&[1_i8, 2].to_value()), None);
}
