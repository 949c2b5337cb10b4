// WGSL does not say which lanes make a subgroup. So lanes are numbered by subgroups if these are full, which they
// are if they have as many places as there are lanes. If not, each lane is on its own.
let is_full = subgroups * subgroup_size == ${lanes}u;
let width = select(1u, subgroup_size, is_full);
let lane = select(index, subgroup * subgroup_size + in_subgroup, is_full);
