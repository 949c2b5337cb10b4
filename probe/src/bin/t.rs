use skel::{Context, prelude::*, tasks::*};
fn main(){ let _=(Context::builder(),); }
