//! What is large, long or deep, up to the limits that `docs/language.md` states.

use super::{Case, case};
use skel::prelude::*;
use skel_core::param::Each;

const fn scrambled<const N: usize>() -> [u32; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = (i as u32).wrapping_mul(2_654_435_761) ^ 0x5bd1_e995;
        i += 1;
    }
    table
}

const TABLE: [u32; 1024] = scrambled();

/// Beyond the end for some: a trap.
#[user_function]
fn large_table(x: u32) -> u32 {
    TABLE[(x % 1100) as usize] ^ TABLE[(x % 1024) as usize]
}

const fn halves() -> [f64; 100] {
    let mut table = [0.5; 100];
    let mut i = 0;
    while i < 98 {
        table[i] = i as f64 * 1e300 - 1e299;
        i += 1;
    }
    table[98] = f64::MIN_POSITIVE / 3.0;
    table[99] = f64::NAN;
    table
}

const HALVES: [f64; 100] = halves();

#[user_function]
fn table_of_doubles(x: u32) -> f64 {
    HALVES[(x % 100) as usize]
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Row {
    a: f32,
    bytes: [u8; 3],
    on: bool,
}

const fn row(a: f32, bytes: [u8; 3], on: bool) -> Row {
    Row { a, bytes, on }
}

const ROWS: [[Row; 5]; 9] = [[
    row(-0.0, [1, 2, 255], true),
    row(1e-40, [7; 3], false),
    row(3.5, [0; 3], true),
    row(f32::INFINITY, [9, 8, 7], false),
    row(-7.25, [4, 5, 6], true),
]; 9];

/// Parts of a table: scalars, and what is no scalar.
#[user_function]
fn table_of_rows(x: u32, y: u32) -> (f32, u8, bool) {
    let i = (x % 9) as usize;
    let j = (y % 5) as usize;
    let one = ROWS[i][j];
    let bytes = one.bytes;
    (
        ROWS[8 - i][j].a,
        bytes[(x % 3) as usize] ^ ROWS[i][j].bytes[(y % 4) as usize],
        ROWS[i][4 - j].on,
    )
}

/// A table as a whole.
#[user_function]
fn sum_of_a_table(x: u32) -> u32 {
    const SOME: [u32; 80] = scrambled();
    let all = SOME;
    let mut sum = x;
    for i in 0..80_usize {
        sum = sum.wrapping_mul(31).wrapping_add(SOME[i]);
    }
    sum ^ all[(x % 80) as usize]
}

#[user_function]
fn large_local_array(x: u32, y: u32) -> u32 {
    let mut a = [x; 128];
    let mut i = 1_usize;
    while i < 128 {
        a[i] = a[i - 1].wrapping_mul(y) ^ (i as u32);
        i += 1;
    }
    a[127]
}

macro_rules! deep {
    ($name:ident, $x:ident, $y:ident, [$($e:tt)*]) => {
        #[user_function]
        fn $name($x: f32, $y: f32) -> f32 {
            $($e)*
        }
    };
    ($name:ident, $x:ident, $y:ident, [$($e:tt)*] ten $($rest:tt)*) => {
        deep!($name, $x, $y, [($y - ($x * ($x + ($y + ($x - (2.0 * ($x - ($y + (1.0 - ($x + ($($e)*)))))))))))] $($rest)*);
    };
}

deep!(nested_expression, x, y, [x] ten ten ten ten ten ten ten ten ten ten);

macro_rules! long {
    ($name:ident, $x:ident, $y:ident, [$($term:tt)*]) => {
        long!(@ $name, $x, $y, [$($term)* $($term)* $($term)* $($term)* $($term)* $($term)* $($term)* $($term)* $($term)* $($term)*]);
    };
    (@ $name:ident, $x:ident, $y:ident, [$($term:tt)*]) => {
        #[user_function]
        fn $name($x: f32, $y: f32) -> f32 {
            $x $($term)* $($term)* $($term)* $($term)* $($term)* $($term)* $($term)* $($term)* $($term)*
        }
    };
}

long!(long_sum, x, y, [+ y - x + 0.1 + y - x + y + x - y + x - 0.2]);

macro_rules! many {
    ($($n:literal)*) => {
        #[user_function]
        fn many_arms(x: u32, y: u32) -> u32 {
            match x % 320 {
                $($n => y ^ ($n * 7),)*
                other => other / (y % 5),
            }
        }

        #[user_function]
        fn long_match_in_a_loop(x: u32, y: u32) -> u32 {
            let mut sum = y;
            'rounds: for i in 0..6_u32 {
                let which = (x ^ (i * 37)) % 310;
                match which {
                    305 => break,
                    306 => continue 'rounds,
                    307 => return sum,
                    $($n if sum != $n => sum ^= $n + i,)*
                    _ => sum = sum.wrapping_add(1000),
                }
                sum = sum.rotate_left(3);
            }
            sum
        }

        #[user_function]
        fn long_chain(x: u32, y: u32) -> u32 {
            let n = x % 320;
            $(if n == $n { y ^ $n } else)* { y % (x % 3) }
        }
    };
}

many! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34
    35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66
    67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98
    99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122
    123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146
    147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170
    171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 193 194
    195 196 197 198 199 200 201 202 203 204 205 206 207 208 209 210 211 212 213 214 215 216 217 218
    219 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242
    243 244 245 246 247 248 249 250 251 252 253 254 255 256 257 258 259 260 261 262 263 264 265 266
    267 268 269 270 271 272 273 274 275 276 277 278 279 280 281 282 283 284 285 286 287 288 289 290
    291 292 293 294 295 296 297 298 299
}

macro_rules! blocks {
    ($name:ident, $x:ident, $y:ident, [$($e:tt)*]) => {
        #[user_function]
        fn $name($x: u32, mut $y: u32) -> u32 {
            $($e)*
            $y
        }
    };
    ($name:ident, $x:ident, $y:ident, [$($e:tt)*] ten $($rest:tt)*) => {
        blocks!($name, $x, $y, [if $x & 1 == 0 || $y > 4 { $y ^= 1; if $x > 2 { if $x > 3 { if $x > 4 { $y ^= 2; if $x > 5 { if $x > 6 { if $x > 7 { if $x > 8 { $y = $y.rotate_left(1); if $x > 9 { if $x > 10 { $($e)* } } } } } } } } } }] $($rest)*);
    };
}

blocks!(nested_blocks, x, y, [y ^= x;] ten ten ten ten ten ten ten ten ten ten);

pub(super) fn cases() -> Vec<Case> {
    vec![
        case::<large_table, (Each<u32>,)>(),
        case::<table_of_doubles, (Each<u32>,)>(),
        case::<table_of_rows, (Each<u32>, Each<u32>)>(),
        case::<sum_of_a_table, (Each<u32>,)>(),
        case::<large_local_array, (Each<u32>, Each<u32>)>(),
        case::<nested_expression, (Each<f32>, Each<f32>)>(),
        case::<long_sum, (Each<f32>, Each<f32>)>(),
        case::<many_arms, (Each<u32>, Each<u32>)>(),
        case::<long_match_in_a_loop, (Each<u32>, Each<u32>)>(),
        case::<long_chain, (Each<u32>, Each<u32>)>(),
        case::<nested_blocks, (Each<u32>, Each<u32>)>(),
    ]
}
