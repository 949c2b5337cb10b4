@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

// Rows and columns.
override SIDE: u32;

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) at: vec3u) {
    if at.x >= SIDE || at.y >= SIDE {
        return;
    }
    let up = max(at.y, 1u) - 1u;
    let down = min(at.y + 1u, SIDE - 1u);
    let left = max(at.x, 1u) - 1u;
    let right = min(at.x + 1u, SIDE - 1u);
    let i = at.y * SIDE + at.x;
    y[i] = 0.5 * x[i] + 0.125 * (x[up * SIDE + at.x] + x[down * SIDE + at.x]
        + x[at.y * SIDE + left] + x[at.y * SIDE + right]);
}
