//! Contexts whose times are those of laws.

use skel::{
    Context,
    mock::{Law, Mock},
};

/// A machine of a CPU, of which one thread takes `sequential`, and devices named `mock 0`, `mock 1`, ….
pub(crate) fn machine(cpu: Law, sequential: Law, devices: &[Law]) -> Context {
    let mut builder = Context::builder().virtual_time(cpu, sequential);
    for (k, law) in devices.iter().enumerate() {
        let mock = Mock::named(format!("mock {k}")).law(law.clone());
        builder = builder.unit(mock.virtual_time().unit().unwrap());
    }
    builder.build().unwrap()
}
