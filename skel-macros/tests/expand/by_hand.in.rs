#[user_function(unsafe(wgsl = "return countOneBits(x);"), unsafe(cuda = include_str!("ones.cu")), pure)]
fn ones(x: u32) -> u32 {
    x.count_ones()
}
