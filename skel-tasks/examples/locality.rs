//! Prints LAHeteroprio beside Heteroprio on the machines of Bramas (2019), as `docs/tasks.md` has it.
//!
//! ```sh
//! cargo run --release -p skel-tasks --example locality
//! ```

use skel_tasks::{
    TaskError,
    locality::{SCHEDULERS, rows, table, tiles_table},
};

fn main() -> Result<(), TaskError> {
    let (heads, schedulers): (Vec<_>, Vec<_>) = SCHEDULERS.into_iter().unzip();
    println!("{}", table(&rows(&schedulers)?, &heads));
    print!("{}", tiles_table()?);
    Ok(())
}
