#[user_function]
fn scale(l: &mut Line<f32>, of: &Line<f32>) {
    for i in 0..l.len() {
        l[i] *= of[i];
    }
}

#[user_function]
fn twice(l: &mut Line<[u32; 2]>, x: &Line<f32>, y: &mut Line<f32>) {
    scale(y, x);
    l[0][1] = 3;
}
