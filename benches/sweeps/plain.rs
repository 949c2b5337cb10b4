//! The same by plain loops: edges by conditions on the index, as people write them, rows as slices.

pub(crate) fn align(h: &mut [i32], a: &[u8], b: &[u8]) {
    let n = b.len();
    for (i, x) in a.iter().enumerate() {
        let (above, row) = h.split_at_mut(i * n);
        let above = if i > 0 {
            &above[(i - 1) * n..]
        } else {
            &[][..]
        };
        let row = &mut row[..n];
        for j in 0..n {
            let of = |j: Option<usize>| match (j, above.is_empty()) {
                (Some(j), false) => above[j],
                _ => 0,
            };
            let letters = of(j.checked_sub(1)) + if *x == b[j] { 3 } else { -3 };
            let left = if j > 0 { row[j - 1] } else { 0 };
            row[j] = letters.max(of(Some(j)) - 2).max(0).max(left - 2);
        }
    }
}

pub(crate) fn integral(s: &mut [f32], n: usize) {
    for i in 0..n {
        let (above, row) = s.split_at_mut(i * n);
        let above = if i > 0 {
            &above[(i - 1) * n..]
        } else {
            &[][..]
        };
        let row = &mut row[..n];
        for j in 0..n {
            let up = if i > 0 { above[j] } else { 0.0 };
            let left = if j > 0 { row[j - 1] } else { 0.0 };
            let both = if i > 0 && j > 0 { above[j - 1] } else { 0.0 };
            row[j] = row[j] + up + left - both;
        }
    }
}

fn relaxed(u: &[f64], f: f64, n: usize, at: usize, down: bool) -> f64 {
    let (i, j) = (at / n, at % n);
    let above = if i > 0 { u[at - n] } else { 0.0 };
    let left = if j > 0 { u[at - 1] } else { 0.0 };
    let right = if j + 1 < n { u[at + 1] } else { 0.0 };
    let below = if i + 1 < n { u[at + n] } else { 0.0 };
    // In the order of the sweep, since sums of floats depend on it.
    let around = match down {
        false => above + left + right + below,
        true => below + right + left + above,
    };
    u[at] + 1.5 * (0.25 * (around + f) - u[at])
}

pub(crate) fn relax(u: &mut [f64], f: &[f64], n: usize) {
    for i in 0..n {
        for j in 0..n {
            u[i * n + j] = relaxed(u, f[i * n + j], n, i * n + j, false);
        }
    }
}

pub(crate) fn relax_down(u: &mut [f64], f: &[f64], n: usize) {
    for i in (0..n).rev() {
        for j in (0..n).rev() {
            u[i * n + j] = relaxed(u, f[i * n + j], n, i * n + j, true);
        }
    }
}

pub(crate) fn lower(v: &mut [f64], k: &[f64], n: usize) {
    for p in 0..n {
        for i in 0..n {
            for j in 0..n {
                let at = (p * n + i) * n + j;
                let back = if p > 0 { v[at - n * n] } else { 0.0 };
                let above = if i > 0 { v[at - n] } else { 0.0 };
                let left = if j > 0 { v[at - 1] } else { 0.0 };
                v[at] = k[at] * (v[at] + 0.3 * (back + above + left));
            }
        }
    }
}
