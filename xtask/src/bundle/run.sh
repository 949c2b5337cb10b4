#!/bin/sh
# Runs the tests and benchmarks of this bundle on this machine, prints a short table last, and writes
# results.json beside the logs. Usage: ./run.sh [FOLDER FOR RESULTS]
#
# For a machine that is lent for minutes, the environment says less: PARTS (of: tests host switched tasks rivals paper), TURNS
# of what takes turns, SIZES of arrays in elements, and SECONDS_EACH, after which a program is ended.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/results}
parts=" ${PARTS:-tests host switched tasks rivals paper} "
turns=$(seq "${TURNS:-3}")
limit=${SECONDS_EACH:-1200}
wanted() {
    case "$parts" in *" $1 "*) return 0 ;; *) return 1 ;; esac
}
mkdir -p "$out" && cd "$out" || exit 1
XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
export XDG_RUNTIME_DIR
table="$out/table.txt"
rows="$out/rows.txt"
: >"$table" && : >"$rows"

# NVRTC of CUDA toolkits and of Python packages, where the loader does not look.
for folder in /usr/local/cuda*/lib64 /usr/local/cuda*/targets/*/lib \
    /usr/lib/python3*/*-packages/nvidia/cuda_nvrtc/lib /usr/local/lib/python3*/*-packages/nvidia/cuda_nvrtc/lib \
    "${CONDA_PREFIX:-/nowhere}"/lib; do
    if ls "$folder"/libnvrtc.so* >/dev/null 2>&1; then
        LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
    fi
done
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}"

{
    uname -a
    nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap,pci.bus_id --format=csv,noheader 2>&1
    cat "$here/about.json"
} >"$out/machine.txt" 2>&1

# row NAME PASSED FAILED SKIPPED SECONDS
row() {
    printf '%-16s %8s %8s %8s %6ss\n' "$1" "$2" "$3" "$4" "$5" >>"$table"
    printf '{"test":"%s","passed":%s,"failed":%s,"skipped":%s,"seconds":%s}\n' "$1" "$2" "$3" "$4" "$5" >>"$rows"
    [ "$3" -eq 0 ] || touch "$out/failed"
}
rm -f "$out/failed"

# Tests leave most of a machine with many cores idle: there they run beside each other.
cores=$(nproc)
tests() {
    if [ "$cores" -ge 8 ]; then
        tests_of "$@" &
    else
        tests_of "$@"
    fi
}

tests_of() {
    name=$1
    shift
    start=$(date +%s)
    timeout "$limit" "$here/bin/$name" "$@" >"$out/$name.log" 2>&1
    status=$?
    seconds=$(($(date +%s) - start))
    counts=$(awk '/^test result: /{p+=$4; f+=$6; i+=$8} END{print p+0, f+0, i+0}' "$out/$name.log")
    # shellcheck disable=SC2086
    set -- $counts
    # A program that did not come to its end has failed, whatever it printed before; so has one that ran
    # nothing at all and cannot say why.
    if [ $status -ne 0 ] || [ $(($1 + $3)) -eq 0 ]; then
        [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
    fi
    row "$name" "$1" "$2" "$3" "$seconds"
}

# This takes a minute, beside the tests.
nvcc=$(command -v nvcc || ls /usr/local/cuda*/bin/nvcc 2>/dev/null | tail -1)
if [ -n "$nvcc" ] && wanted rivals; then
    "$nvcc" -O3 -arch=native -o "$out/cub" "$here/rivals/cub.cu" >"$out/cub.txt" 2>&1 &
fi

if wanted tests; then
    tests conformance_cuda
    tests cuda_unit
    tests cuda_kernels
    tests conformance
    tests corpus_wgpu
    tests corpus_cuda
    # Of these, what needs no sources.
    tests root faults:: memory:: --skip faults::table
    wait
fi

# bench LOG ARGUMENTS, with the environment's $settings
settings=
bench() {
    log=$1
    shift
    # shellcheck disable=SC2086
    timeout "$limit" env $settings "$here/bin/bench" "$@" >>"$out/bench-$log.txt" 2>&1 || {
        touch "$out/failed"
        echo "bench $log failed: see bench-$log.txt" >>"$table"
    }
}
if wanted host; then
    bench kernels kernels --markdown --json "$out/bench.json"
fi
# Software devices show that the benchmarks run, and no more: they get few elements.
few=1048576
sizes=${SIZES:-"$few 16777216 67108864 268435456"}
in_a_row=$(echo "$sizes" | tr ' ' ,)
devices=0
while [ "$devices" -lt 16 ] && "$here/bin/bench" device-kernels --device "$devices" --n 1024 --seconds 0.1 >"$out/device.txt" 2>&1; do
    if grep -q 'software device' "$out/device.txt"; then
        these=$few
        [ "$devices" -gt 0 ] || in_a_row=$few
    else
        these=$sizes
    fi
    for n in $these; do
        bench "device-$devices-$n" device-kernels --device "$devices" --n "$n" --json "$out/bench.json"
    done
    devices=$((devices + 1))
done

if [ "$devices" -gt 0 ] && wanted switched; then
    bench cold cold --json "$out/bench.json"
    # The same GPU through wgpu, if it is there, too: what is compared has to be one device.
    gpu=$("$here/bin/bench" device-kernels --n 1024 --seconds 0.1 2>/dev/null | sed -n 's/^device:0  *\([^(]*[^ (]\) *(.*/\1/p')
    other=$(SKEL_CUDA=off "$here/bin/bench" device-kernels --n 1024 --seconds 0.1 2>/dev/null |
        sed -n 's/^device:0  *\([^(]*[^ (]\) *(.*/\1/p')
    wgpu=no
    if [ -n "$gpu" ] && [ "$gpu" = "$other" ]; then
        wgpu=yes
    else
        echo "skipped: $gpu through wgpu: device 0 is ${other:-none}" >>"$table"
    fi
    # What each of these is worth: elements that come from the host and go back, and kernels on what is there,
    # with one thing switched off; and the same through wgpu. In turns, since machines drift.
    for _ in $turns; do
        for settings in "" SKEL_CUDA_PINNED=off SKEL_CUDA_POOL=off SKEL_CUDA_STEPS=off SKEL_CUDA_STREAMS=0; do
            bench moved in-a-row --moved --sizes "$in_a_row" --as "${settings:-skel}" --json "$out/moved.json"
        done
        for settings in "" SKEL_CUDA_ONE_PASS=off SKEL_CUDA_VECTORS=off SKEL_CUDA=off \
            "SKEL_CUDA=off SKEL_WGPU_SUBGROUPS=off"; do
            case "$settings:$wgpu" in "SKEL_CUDA=off"*:no) continue ;; esac
            bench there in-a-row --sizes "$in_a_row" --as "${settings:-skel}" --json "$out/there.json"
        done
        settings=
    done
    bench compared rivals "$out/moved.json"
    bench compared rivals "$out/there.json"
fi

# program LOG NAME ARGUMENTS: one that prints its own tables.
program() {
    log=$1
    name=$2
    shift 2
    timeout "$limit" "$here/bin/$name" "$@" >"$out/$log.txt" 2>&1 || {
        touch "$out/failed"
        echo "$log: $(tail -1 "$out/$log.txt")" >>"$table"
    }
}
if wanted host; then
    program cpu cpu --bench --markdown --seconds 1
fi
if wanted tasks; then
    program tasks tasks --bench --quick --markdown "$out/tasks.md" --json "$out/tasks.json"
    for class in W A; do
        program "npb_mz-$class" npb_mz --class "$class"
    done
fi

if [ "$devices" -gt 0 ] && wanted paper; then
    if ! timeout "$limit" "$here/bin/paper" --bench --machine gpu --quick --results "$out/paper" \
        --pictures "$out/paper" >"$out/paper.txt" 2>&1; then
        echo "paper: $(tail -1 "$out/paper.txt")" >>"$table"
    fi
fi

# The rivals, in turns with skel.
if [ "$devices" -gt 0 ] && wanted rivals; then
    wait
    [ -x "$out/cub" ] || echo "skipped: cub: no nvcc that compiles it" >>"$table"
    for _ in $turns; do
        bench in-a-row in-a-row --sizes "$in_a_row" --json "$out/rivals.json"
        bench launch launch --device 0 --json "$out/rivals.json"
        if [ -x "$out/cub" ]; then
            "$out/cub" >>"$out/rivals.json" 2>>"$out/cub.txt" || touch "$out/failed"
        fi
        if command -v python3 >/dev/null; then
            python3 "$here/rivals/arrays.py" >>"$out/rivals.json" 2>"$out/arrays.txt" || touch "$out/failed"
        else
            echo "skipped: arrays.py: no python3" >"$out/arrays.txt"
        fi
    done
    grep '^skipped' "$out/arrays.txt" >>"$table"
    bench compared rivals "$out/rivals.json"
fi
[ "$devices" -gt 0 ] || echo "skipped: benchmarks of devices: no device" >>"$table"

{
    printf '{"about":'
    cat "$here/about.json"
    printf ',"tests":['
    paste -sd, "$rows"
    printf '],"benches":['
    [ -s "$out/bench.json" ] && paste -sd, "$out/bench.json"
    printf '],"switched_off":['
    cat "$out/moved.json" "$out/there.json" 2>/dev/null | paste -sd,
    printf '],"rivals":['
    [ -s "$out/rivals.json" ] && paste -sd, "$out/rivals.json"
    printf ']}\n'
} >"$out/results.json"

cat "$out/machine.txt"
printf '\n%-16s %8s %8s %8s %7s\n' program passed failed skipped time
cat "$table"
# What took turns is in `compared`.
for file in "$out"/bench-kernels.txt "$out"/bench-device-*.txt "$out"/bench-cold.txt "$out"/bench-compared.txt; do
    [ -s "$file" ] || continue
    echo
    grep '^|' "$file"
done
[ ! -e "$out/failed" ]
