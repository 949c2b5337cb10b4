// Rust's names for the types.

typedef signed char i8;

typedef short i16;

typedef int i32;

typedef long long i64;

typedef long long isize;

typedef unsigned char u8;

typedef unsigned short u16;

typedef unsigned int u32;

typedef unsigned long long u64;

typedef unsigned long long usize;

typedef struct { unsigned short bits; } f16;

typedef float f32;

typedef double f64;
