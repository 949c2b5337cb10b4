// Which lanes make a subgroup is not said anywhere. So lanes are numbered by subgroups, which numbers each
// once if all subgroups are full: they are if that makes as many as there are. Else each is on its own.
let is_full = subgroups * subgroup_size == ${lanes}u;
let width = select(1u, subgroup_size, is_full);
let lane = select(index, subgroup * subgroup_size + in_subgroup, is_full);
