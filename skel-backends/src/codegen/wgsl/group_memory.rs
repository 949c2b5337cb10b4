//! Memory that the lanes of a work-group share.
//!
//! `bool` lies there as words do: NVIDIA's driver for Vulkan (580.159) lets lanes that store neighbouring elements of an
//! array of `bool` overwrite each other's.

use super::{
    apply::store_at,
    builder::{Builder, element},
    memory::{self, Words},
};
use skel_core::ir::Ty;

impl Builder<'_> {
    /// An array of so many values, with the functions `get_…` and `set_…` of its elements.
    pub(super) fn group_memory(&mut self, name: &str, ty: &Ty, count: u32) {
        let text = self.wgsl.ty(&mut self.cx, ty);
        let in_words = has_bool(ty);
        let (elem, count) = match in_words {
            true => ("u32".to_owned(), count * memory::words(ty) as u32),
            false => (text.clone(), count),
        };
        if in_words && memory::is_aggregate(ty) {
            let (load, store) = (format!("load_{name}"), format!("store_{name}"));
            let functions = [
                self.wgsl
                    .load_function(&mut self.cx, &load, ty, Words::Storage(name)),
                self.wgsl.store_function(&mut self.cx, &store, ty, name),
            ];
            self.access.push_str(&functions.concat());
        }
        let (get, set) = match in_words {
            true => (element(ty, name, "at"), store_at(name, ty, "at", "value")),
            false => (format!("{name}[at]"), format!("{name}[at] = value;")),
        };
        self.access.push_str(&format!(
            "var<workgroup> {name}: array<{elem}, {count}>;\n\n\
             fn get_{name}(at: u32) -> {text} {{\n    return {get};\n}}\n\n\
             fn set_{name}(at: u32, value: {text}) {{\n    {set}\n}}\n\n"
        ));
    }
}

fn has_bool(ty: &Ty) -> bool {
    match ty {
        Ty::Bool => true,
        Ty::Struct(structure) => structure.fields.iter().any(|field| has_bool(&field.ty)),
        Ty::Array(array) => has_bool(&array.elem),
        _ => false,
    }
}
