// Every output element folds a row or column of the arguments, leaf after leaf; or one span of it: see `crate::along`.
@compute @workgroup_size(${lanes})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    ${begin}
    // Two dimensions of groups, since one does not reach far enough; and one of spans, of which a group takes several
    // where it has more lanes than there are values.
    let at = ((group.y * groups.x + group.x) << params.level) + (lane & ((1u << params.level) - 1u));
    let span = params.slot + group.z * (${lanes}u >> params.level) + (lane >> params.level);
    if (at >= params.count || span >= params.spans) {
        return;
    }
    let slots = params.count * params.spans;
    let slot = span * params.count + at;
    let begin = span * params.span;
    let end = begin + min(params.span, params.depth - begin);
    ${stop}
    var total: ${element};
    var first = begin;
    while (first < end) {
        let last = first + min(params.leaf, end - first);
        if (params.joining != 0u) {
            total = ${joined};
        } else {
            ${gather}
        }
        ${join}
        ${leave_all}
        first = last;
    }
    ${trap}
    if (params.spans > 1u) {
        ${hand_on}
    } else {
        ${initial}
        ${trap_of_initial}
        let value = total;
        ${store}
    }
}
