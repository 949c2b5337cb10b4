//! In which block configurations devices are launched, and what others took.

use super::svg::escaped;
use crate::show;
use skel::{
    model::{Fingerprint, UnitId, UnitModel},
    unit::BlockConfig,
};

/// What a device took in several block configurations.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// Where.
    pub machine: Fingerprint,
    /// The id of the instance.
    pub id: String,
    /// The elements of the call, and those beside it.
    pub class: (usize, usize),
    /// The device.
    pub unit: UnitId,
    /// What each took, in nanoseconds; the usual one first.
    pub medians_ns: Vec<(BlockConfig, f64)>,
}

/// In which block configurations a device was measured, or else which it is launched in, if that is not
/// the usual one.
pub(super) fn launches(unit: &UnitModel, blocks: Option<&Blocks>) -> String {
    let name = escaped(&show::name(&unit.unit));
    let measured = blocks.filter(|blocks| !blocks.medians_ns.is_empty());
    let Some(Blocks { medians_ns, .. }) = measured else {
        return unit.block.map_or_else(String::new, |block| {
            let block = show::block(block);
            format!("<p>{name} is launched in {block}.</p>\n")
        });
    };
    let (usual, usual_ns) = medians_ns[0];
    let chosen = unit.block.unwrap_or(usual);
    let row = |(block, ns): &(BlockConfig, f64)| {
        let against = match usual_ns > 0.0 {
            // Rounded first: what rounds to nothing is not less than nothing.
            true => format!(
                "{:+.1} %",
                (1000.0 * (ns / usual_ns - 1.0)).round() / 10.0 + 0.0
            ),
            false => "–".into(),
        };
        let notes = [(usual, "usual"), (chosen, "chosen")];
        let notes = notes.into_iter().filter(|(of, _)| of == block);
        let notes: Vec<&str> = notes.map(|(_, note)| note).collect();
        format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{against}</td><td class=\"left\">{}</td></tr>\n",
            block.lanes,
            block.elems_per_lane,
            show::ns(*ns),
            notes.join(", ")
        )
    };
    let rows: String = medians_ns.iter().map(row).collect();
    format!(
        "<div class=\"card blocks\"><table>\n<caption>Work-groups of {name}</caption>\n<tr><th>lanes</th>\
         <th>elements per lane</th><th>time</th><th>against the usual</th><th></th></tr>\n{rows}</table></div>\n"
    )
}
