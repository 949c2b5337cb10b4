#[user_function]
fn mandelbrot(cx: f32, cy: f32, #[uniform] limit: u32) -> u32 {
    let (mut x, mut y, mut n) = (0.0, 0.0, 0);
    while n < limit {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            break;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
        n += 1;
    }
    n
}

#[user_function]
fn steps(at: Index1, x: u32, total: &mut u32) -> u32 {
    let mut sum = 0;
    'outer: for i in 0..x {
        if i % 3 == 0 {
            continue;
        }
        for j in 0..4 {
            if sum > 1000 {
                return sum;
            }
            if (sum ^ j) % (i + 1) == 7 {
                break 'outer;
            }
            sum += i * j + at.i as u32;
        }
    }
    *total += sum;
    sum + x
}

#[user_function(lanes = off)]
fn plain(x: u32) -> u32 {
    let mut n = 0;
    while n < x {
        n += 2;
    }
    n
}
