//! Kernels that are wrong, and what is said of them.

use crate::{
    Test,
    harness::{Args, values},
    shim::{Order, Shim},
};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_missing_barrier_shows_in_some_order",
        a_missing_barrier_shows_in_some_order,
    ),
    (
        "memory_that_is_not_initialised_shows",
        memory_that_is_not_initialised_shows,
    ),
    (
        "a_barrier_that_some_do_not_reach",
        a_barrier_that_some_do_not_reach,
    ),
    (
        "threads_at_different_barriers",
        threads_at_different_barriers,
    ),
    (
        "a_shuffle_that_some_do_not_reach",
        a_shuffle_that_some_do_not_reach,
    ),
    ("masks_that_disagree", masks_that_disagree),
    ("accesses_outside_of_buffers", accesses_outside_of_buffers),
    (
        "accesses_outside_of_shared_memory",
        accesses_outside_of_shared_memory,
    ),
    ("undefined_arithmetic", undefined_arithmetic),
    ("a_trap", a_trap),
    ("a_loop_without_end", a_loop_without_end),
    (
        "launches_that_no_device_takes",
        launches_that_no_device_takes,
    ),
    ("sources_that_do_not_compile", sources_that_do_not_compile),
    (
        "a_launch_that_fails_leaves_buffers_alone",
        a_launch_that_fails_leaves_buffers_alone,
    ),
];

/// A kernel over `int *out` and `int k`, with this body; its line 4 is the first.
fn kernel(body: &str) -> String {
    format!(
        "struct Params {{ int *out; int k; }}; __device__ __noinline__ void put(int *at, int k) {{ *at = k; }}\n\
         extern \"C\" __global__ void __launch_bounds__(64) skel_kernel(const Params params) {{\n\
         const int lane = threadIdx.x;\n{body}\n}}\n"
    )
}

/// The errors of such kernels, run by 64 threads over 64 elements, in the first two orders.
fn errors(k: i32, bodies: &[&str]) -> Vec<[Result<Vec<i32>, String>; 2]> {
    let sources: Vec<String> = bodies.iter().map(|body| kernel(body)).collect();
    let names: Vec<String> = (0..bodies.len()).map(|k| format!("body{k}")).collect();
    let named: Vec<(&str, &str)> = names
        .iter()
        .zip(&sources)
        .map(|(name, source)| (name.as_str(), source.as_str()))
        .collect();
    let mut shim = Shim::compile(&named).expect("they compile");
    shim.limit_s = 2;
    let run = |name: &str, order| {
        let args = Args::default().buffer(&[0_i32; 64]).scalar(k);
        let out = args.launch(&shim, name, 1, 64, order)?;
        Ok(values::<i32>(&out[0]))
    };
    let orders = [Order::Ascending, Order::Descending];
    names
        .iter()
        .map(|name| orders.map(|order| run(name, order)))
        .collect()
}

/// Each is an error in both orders, and says what is expected.
fn expect(k: i32, cases: &[(&str, &str)]) {
    let bodies: Vec<&str> = cases.iter().map(|(body, _)| *body).collect();
    for ((body, expected), results) in cases.iter().zip(errors(k, &bodies)) {
        for result in results {
            let error = result.expect_err(body);
            assert!(
                error.contains(expected),
                "{body}\nsays\n{error}\nnot\n{expected}"
            );
        }
    }
}

fn a_missing_barrier_shows_in_some_order() {
    let right = include_str!("kernels/reduce.cu").replace("ELEMENT", "float");
    let wrong = right.replace("__syncthreads();", "");
    assert_ne!(right, wrong);
    let shim = Shim::compile(&[("right", &right), ("wrong", &wrong)]).unwrap();
    let run = |name: &str, order| {
        let args = Args::default()
            .buffer(&[1_f32; 1024])
            .buffer(&[0_f32; 4])
            .scalar(1024_u32);
        values::<f32>(&args.launch(&shim, name, 4, 256, order).unwrap()[1])
    };
    for order in Order::ALL {
        assert_eq!(run("right", order), [256.0; 4], "{order:?}");
    }
    assert!(
        Order::ALL
            .iter()
            .any(|order| run("wrong", *order) != [256.0; 4])
    );
    // Without barriers, the first lane of all adds up what was not written yet.
    assert_ne!(run("wrong", Order::Ascending), [256.0; 4]);
}

fn memory_that_is_not_initialised_shows() {
    let body = "__shared__ int tile[64]; params.out[lane] = tile[lane];";
    let [ascending, descending] = errors(0, &[body]).remove(0);
    assert_ne!(ascending.unwrap(), descending.unwrap());
}

fn a_barrier_that_some_do_not_reach() {
    expect(
        0,
        &[
            (
                "if (lane < 32) __syncthreads();",
                "waits at __syncthreads in line 4, but thread (32,0,0) of block (0,0,0) has ended",
            ),
            (
                "if (lane == 5) return; __syncthreads();",
                "thread (5,0,0) of block (0,0,0) has ended",
            ),
            (
                "for (int i = 0; i < lane; i++) __syncthreads();",
                "do not meet",
            ),
        ],
    );
}

fn threads_at_different_barriers() {
    let body = "if (lane < 32) {\n__syncthreads();\n} else {\n__syncthreads();\n}";
    expect(
        0,
        &[(
            body,
            "waits at __syncthreads in line 5, but thread (32,0,0) of block (0,0,0) waits at __syncthreads in line 7",
        )],
    );
}

fn a_shuffle_that_some_do_not_reach() {
    let body =
        "if (lane < 16) params.out[lane] = __shfl_sync(~0u, lane, 3);\nelse __syncthreads();";
    expect(
        0,
        &[(body, "waits for a shuffle in line 4, but thread (16,0,0)")],
    );
}

fn masks_that_disagree() {
    expect(
        0,
        &[
            (
                "__syncwarp(lane % 32 < 16 ? 0xffffffffu : 0xffff0001u);",
                "want different things",
            ),
            (
                "if (lane < 32) __syncwarp(); else __ballot_sync(1u, 1);",
                "with a mask that does not name it",
            ),
        ],
    );
}

fn accesses_outside_of_buffers() {
    expect(
        64,
        &[
            (
                "if (lane == 63) params.out[lane + 1] = 1;",
                "heap-buffer-overflow",
            ),
            (
                "if (lane == 0) params.out[0] = params.out[params.k];",
                "heap-buffer-overflow",
            ),
            (
                "if (lane == 0) params.out[lane - 1] = 1;",
                "heap-buffer-overflow",
            ),
            (
                "int own[4] = {1, 2, 3, 4}; params.out[lane] = own[params.k / 16];",
                "out of bounds",
            ),
        ],
    );
    // The report names the line of the source.
    let body = "\n\nif (lane == 63)\n    params.out[lane + 1] = 1;";
    expect(64, &[(body, "body0.cu:7")]);
}

fn accesses_outside_of_shared_memory() {
    expect(
        64,
        &[
            (
                "__shared__ int tile[64]; int *t = tile; t[lane] = 1; t[params.k] = 2;",
                "insufficient space",
            ),
            (
                "__shared__ int tile[64]; tile[lane] = 0; put(tile + params.k, 2);",
                "global-buffer-overflow",
            ),
            (
                "__shared__ int tile[64], other[64]; other[lane] = 0; tile[lane + (lane == 63)] = 2;",
                "out of bounds",
            ),
        ],
    );
}

fn undefined_arithmetic() {
    expect(
        i32::MAX,
        &[
            (
                "params.out[lane] = params.k + 1;",
                "signed integer overflow: 2147483647 + 1",
            ),
            (
                "params.out[lane] = -params.k - 2;",
                "signed integer overflow",
            ),
            (
                "params.out[lane] = 1 << (params.k & 63);",
                "shift exponent 63",
            ),
            (
                "params.out[lane] = 7 / (params.k - 2147483647);",
                "division by zero",
            ),
            (
                "params.out[lane] = (int)(2.0f * params.k);",
                "outside the range of representable values",
            ),
            (
                "((long long *)((char *)params.out + 4))[0] = 1;",
                "misaligned address",
            ),
        ],
    );
}

fn a_trap() {
    expect(0, &[("if (lane == 3) __trap();", "__trap() was called")]);
}

fn a_loop_without_end() {
    expect(
        0,
        &[(
            "while (params.k == 0) atomicAdd(params.out, 1);",
            "takes too long",
        )],
    );
}

fn launches_that_no_device_takes() {
    let source = kernel("params.out[lane] = blockDim.x;");
    let shim = Shim::compile(&[("k", &source)]).unwrap();
    let run = |blocks, threads| {
        let args = Args::default().buffer(&[0_i32; 2000]).scalar(0_i32);
        args.launch(&shim, "k", blocks, threads, Order::Ascending)
    };
    assert!(run(1, 64).is_ok());
    assert!(
        run(1, 65)
            .unwrap_err()
            .contains("65 threads, but __launch_bounds__ says 64")
    );
    assert!(run(0, 64).unwrap_err().contains("no device takes"));
    assert!(run(1, 1025).unwrap_err().contains("no device takes"));
    let args = Args::default().buffer(&[0_i32; 64]);
    let error = args
        .launch(&shim, "k", 1, 64, Order::Ascending)
        .unwrap_err();
    assert!(
        error.contains("Params has 16 bytes, but 8 were given"),
        "{error}"
    );
    let args = Args::default();
    assert!(
        args.launch(&shim, "missing", 1, 1, Order::Ascending)
            .is_err()
    );
}

fn sources_that_do_not_compile() {
    let (fine, wrong) = (kernel(""), kernel("\nparams.out[lane] = no_such_name;"));
    let error = Shim::compile(&[("fine", &fine), ("wrong", &wrong)]).unwrap_err();
    assert!(error.contains("wrong.cu:5"), "{error}");
    assert!(error.contains("no_such_name"), "{error}");
    assert!(Shim::compile(&[("same", &fine), ("same", &fine)]).is_err());
}

fn a_launch_that_fails_leaves_buffers_alone() {
    use crate::shim::Launch;
    let source = kernel("params.out[lane] = 1; if (lane == 63) __trap();");
    let shim = Shim::compile(&[("k", &source)]).unwrap();
    let mut buffers = vec![vec![7; 256]];
    let mut launch = Launch {
        kernel: "k",
        grid: [1, 1, 1],
        block: [64, 1, 1],
        params: &[0; 16],
        pointers: &[(0, 0)],
        order: Order::Ascending,
    };
    assert!(shim.launch(&launch, &mut buffers).is_err());
    assert_eq!(buffers[0], [7; 256]);
    // The next launch is none the worse for it.
    launch.block = [63, 1, 1];
    shim.launch(&launch, &mut buffers).unwrap();
    assert_eq!(values::<i32>(&buffers[0])[..63], [1; 63]);
}
