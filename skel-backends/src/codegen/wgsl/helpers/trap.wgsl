// Traps. The kernel looks at `skel_trap` when the element function is back.

// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}

// An index of an array of `len` elements. Where it is none, the first element stands for what is not
// there.
fn skel_index(i: u32, len: u32, site: u32) -> u32 {
    if (i >= len) {
        skel_note(site);
        return 0u;
    }
    return i;
}

// The element at hand, counted in the whole index space: whose row or column it is.
var<private> skel_current: u32 = 0u;
