//! What a newly opened device makes of arithmetic.

use super::{Options, WebGpu, adapters::Found};
use crate::arithmetic::{
    Arithmetic, Class, DeviceIdentity, Distrusted, Remedies, Remedy, ask, known_or,
};
use skel_core::{Error, Result, unit::UnitKind};

/// Asks the device, or recalls what it answered; what needs a remedy is printed otherwise from now on.
///
/// # Errors
/// [`Error::NoDevice`] if it computes integers of 32 bits or `f32` wrongly, remedies or not: there is nothing
/// then that it could be used for. [`Error::Device`] if it cannot be asked.
pub(super) fn examine(driver: &mut WebGpu, found: &Found, options: &Options) -> Result<()> {
    let mut remedies = options.remedies;
    // Known to need it, so that it is asked once.
    if found.info.kind == UnitKind::SoftwareDevice {
        remedies = remedies.with(Remedy::HideOperands);
    }
    let distrusted = options.found_wrong;
    let questions = format!(
        "{}{remedies}{distrusted:?}{:?}",
        driver.questions(),
        driver.gpu.float_controls
    );
    let identity = DeviceIdentity::of(&found.info, &found.hardware().1, &questions);
    let arithmetic = known_or(&identity, || converge(driver, remedies, distrusted))?;
    for ty in ["u32", "i32", "f32"] {
        if let Some(wrong) = arithmetic.why_not(ty) {
            return Err(Error::NoDevice {
                wanted: found.info.name.clone(),
                reason: format!("its arithmetic is wrong: {wrong}"),
            });
        }
    }
    driver.set_arithmetic(arithmetic)
}

/// Asks, with these remedies first, until no other is called for.
fn converge(
    driver: &mut WebGpu,
    mut remedies: Remedies,
    distrusted: Distrusted,
) -> Result<Arithmetic> {
    loop {
        driver.set_arithmetic(Arithmetic {
            remedies,
            ..Arithmetic::default()
        })?;
        let classes = driver.classes();
        let mut found = ask(driver, &classes, distrusted)?;
        let more = remedies.and(found.remedies);
        found.remedies = more;
        if more == remedies {
            return Ok(found);
        }
        remedies = more;
    }
}

impl WebGpu {
    /// The types that it has.
    fn classes(&self) -> Vec<Class> {
        let all = [
            (Class::Words, true),
            (Class::F32, true),
            (Class::Longs, self.limits.supports_i64()),
            (Class::F64, self.limits.supports_f64()),
        ];
        let all = all.into_iter().filter(|(_, has)| *has);
        all.map(|(class, _)| class).collect()
    }

    /// The sources of all that is asked, with remedies and without: what was found out holds for these.
    fn questions(&self) -> String {
        let mut all = String::new();
        for class in self.classes() {
            for remedies in [Remedies::NONE, Remedies::all()] {
                match self.limits.question(class, remedies) {
                    Ok(source) => all.push_str(&source),
                    Err(reason) => all.push_str(&reason),
                }
            }
        }
        all
    }
}
