// Traps. The kernel looks at `skel_trap` when the element function is back.

// The number of the first trap site that this element met; 0 if none.
var<private> skel_trap: u32 = 0u;

fn skel_note(site: u32) {
    if (skel_trap == 0u) {
        skel_trap = site;
    }
}
