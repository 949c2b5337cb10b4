"""CuPy, PyTorch and JAX on the same kernels as `bench in-a-row`: one line of JSON each.

What is not installed, or finds no GPU, is reported as skipped on standard error.
"""

import json
import statistics
import sys
import time

SIZES = [1 << 20, 1 << 24, 1 << 26, 1 << 28]
ROUNDS = 15


def report(rival, race, n, bytes_moved, run, wait):
    """Median of rounds; each is so many runs that it takes two milliseconds, and waits for the last."""
    run()
    wait()
    start = time.perf_counter()
    run()
    wait()
    once = time.perf_counter() - start
    runs = max(1, int(2e-3 / max(once, 1e-7)))
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(runs):
            run()
        wait()
        rounds.append((time.perf_counter() - start) / runs)
    line = {
        "race": race,
        "elems": n,
        "bytes": bytes_moved,
        "contender": rival,
        "rounds": ROUNDS,
        "median_s": statistics.median(rounds),
        "best_s": min(rounds),
    }
    print(json.dumps(line), flush=True)


def cupy_rival():
    import cupy as cp

    wait = cp.cuda.Device().synchronize
    saxpy = cp.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = 3.0f * x + y", "saxpy")
    for n in SIZES:
        x, y, z = (cp.ones(n, dtype=cp.float32) for _ in range(3))
        report("cupy", "map", n, 12 * n, lambda: saxpy(x, y, z), wait)
        report("cupy", "reduce", n, 4 * n, lambda: x.sum(), wait)
        report("cupy", "scan", n, 8 * n, lambda: cp.cumsum(x, out=z), wait)
        report("cupy", "copy", n, 8 * n, lambda: cp.copyto(z, x), wait)


def torch_rival():
    import torch

    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch sees no GPU")
    wait = torch.cuda.synchronize
    for n in SIZES:
        x, y, z = (torch.ones(n, device="cuda") for _ in range(3))
        report("torch", "map", n, 12 * n, lambda: torch.add(y, x, alpha=3.0, out=z), wait)
        report("torch", "reduce", n, 4 * n, lambda: x.sum(), wait)
        report("torch", "scan", n, 8 * n, lambda: torch.cumsum(x, 0, out=z), wait)


def jax_rival():
    import jax
    import jax.numpy as jnp

    if jax.default_backend() == "cpu":
        raise RuntimeError("JAX sees no GPU")
    saxpy = jax.jit(lambda x, y: 3.0 * x + y)
    total = jax.jit(jnp.sum)
    scan = jax.jit(jnp.cumsum)
    for n in SIZES:
        x, y = jnp.ones(n, jnp.float32), jnp.ones(n, jnp.float32)
        last = [x]

        def run(call):
            last[0] = call()

        wait = lambda: last[0].block_until_ready()
        report("jax", "map", n, 12 * n, lambda: run(lambda: saxpy(x, y)), wait)
        report("jax", "reduce", n, 4 * n, lambda: run(lambda: total(x)), wait)
        report("jax", "scan", n, 8 * n, lambda: run(lambda: scan(x)), wait)


for name, rival in [("cupy", cupy_rival), ("torch", torch_rival), ("jax", jax_rival)]:
    try:
        rival()
    except Exception as error:  # whatever keeps a rival from running is no failure of ours
        print(f"skipped: {name}: {error}", file=sys.stderr)
