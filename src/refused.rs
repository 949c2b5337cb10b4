//! What is refused when a program is built, though it can be checked: `cargo check` does not say it. Each
//! example is the least that is wrong; without that it builds, as the first one shows.
//!
//! ```
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let _ = reduce!(|a: f32, b: f32| a + b).rows().run((&m,))?;
//! let _ = map_overlap!(|w: Window1<f32, 1>| w[0]).run((&m,))?;
//! let _ = map_overlap!(|v: Window2<f32, 0, 1>, w: Window2<f32, 1, 1>| v[(0, 0)] + w[(0, 0)]).run((&m, &m))?;
//! let _ = map_pool!(|p: Pool1<f32, 2>| p[0]).run((&m,))?;
//! let _ = map_reduce!(|x: f32| x, |a: f32, b: f32| a + b).cols().run((&m,))?;
//! let _ = reduce!(|a: [u32; 32], b: [u32; 32]| b).run((&[[0; 32]; 3],))?;
//! # skel::Result::Ok(())
//! ```
//!
//! Windows outside of `map_overlap!`:
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let _ = map!(|w: Window1<f32, 1>| w[0]).run_shaped((2, 2), (&m,));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let x = Vector::filled(4, 1.0_f32);
//! let _ = map_reduce!(|x: f32, w: Window1<f32, 1>| x + w[0], |a: f32, b: f32| a + b).run((&x, &x));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let f = map_reduce!(|x: f32, w: Window1<f32, 1>| x + w[0], |a: f32, b: f32| a + b);
//! let _ = f.cols().run((&m, &m));
//! ```
//!
//! A reduction of rows or columns that changes what it reduces:
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let mut m = Matrix::filled(2, 2, 1.0_f32);
//! let f = map_reduce!(|x: &mut f32| { *x += 1.0; *x }, |a: f32, b: f32| a + b);
//! let _ = f.rows().run((&mut m,));
//! ```
//!
//! No window, or a pool, in `map_overlap!`; a window in `map_pool!`; windows of several kinds:
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let _ = map_overlap!(|x: f32| x).run((&m,));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let _ = map_overlap!(|p: Pool1<f32, 2>| p[0]).run((&m,));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let _ = map_pool!(|w: Window1<f32, 1>| w[0]).run((&m,));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let _ = map_overlap!(|v: Window1<f32, 1>, w: Window2<f32, 1, 1>| v[0] + w[(0, 0)]).run((&m, &m));
//! ```
//!
//! An element that is too large to be reduced:
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let _ = reduce!(|a: [u32; 33], b: [u32; 33]| b).run((&[[0; 33]; 3],));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let _ = map_reduce!(|x: u32| [x; 33], |a: [u32; 33], b: [u32; 33]| b).run((&[1, 2, 3],));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let _ = scan!(|a: [u32; 33], b: [u32; 33]| b).run((&[[0; 33]; 3],));
//! ```
//!
//! Windows beyond all that can be:
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let _ = map_overlap!(|w: Window1<f32, 2_000_000>| w[0]).run((&[1.0],));
//! ```
//!
//! ```compile_fail,E0080
//! use skel::prelude::*;
//! let m = Matrix::filled(2, 2, 1.0_f32);
//! let _ = map_overlap!(|w: Window2<f32, 100_000, 100_000>| w[(0, 0)]).run((&m,));
//! ```
