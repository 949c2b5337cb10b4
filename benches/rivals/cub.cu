// CUB and Thrust's parts on the same kernels as `bench device-kernels`: one line of JSON each.
// nvcc -O3 -arch=native -o cub cub.cu

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>

static void check(cudaError_t status) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(1);
    }
}

// Median of rounds by events; each is so many runs that it takes two milliseconds.
template <typename Run>
static void report(const char* race, size_t n, size_t bytes, Run run) {
    const int rounds = 15;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    const auto time = [&](int runs) {
        check(cudaEventRecord(begin));
        for (int k = 0; k < runs; k++) {
            run();
        }
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        return milliseconds / 1000.0 / runs;
    };
    time(1);
    const int runs = std::max(1, (int)(2e-3 / time(1)));
    std::vector<double> all;
    for (int k = 0; k < rounds; k++) {
        all.push_back(time(runs));
    }
    std::sort(all.begin(), all.end());
    std::printf(
        "{\"race\":\"%s\",\"elems\":%zu,\"bytes\":%zu,\"contender\":\"cub\",\"rounds\":%d,"
        "\"median_s\":%g,\"best_s\":%g}\n",
        race, n, bytes, rounds, all[rounds / 2], all[0]);
    std::fflush(stdout);
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
}

struct Saxpy {
    __host__ __device__ float operator()(float x, float y) const { return 3.0f * x + y; }
};

int main() {
    for (size_t n : {size_t(1) << 20, size_t(1) << 24, size_t(1) << 26, size_t(1) << 28}) {
        thrust::device_vector<float> x(n, 1.0f), y(n, 2.0f), z(n);
        float* px = thrust::raw_pointer_cast(x.data());
        float* pz = thrust::raw_pointer_cast(z.data());
        report("map", n, 12 * n, [&] {
            thrust::transform(thrust::cuda::par_nosync, x.begin(), x.end(), y.begin(), z.begin(), Saxpy());
        });
        size_t reduce_bytes = 0, scan_bytes = 0;
        check(cub::DeviceReduce::Sum(nullptr, reduce_bytes, px, pz, (long long)n));
        check(cub::DeviceScan::InclusiveSum(nullptr, scan_bytes, px, pz, (long long)n));
        thrust::device_vector<char> room(std::max(reduce_bytes, scan_bytes));
        void* at = thrust::raw_pointer_cast(room.data());
        report("reduce", n, 4 * n, [&] {
            check(cub::DeviceReduce::Sum(at, reduce_bytes, px, pz, (long long)n));
        });
        report("scan", n, 8 * n, [&] {
            check(cub::DeviceScan::InclusiveSum(at, scan_bytes, px, pz, (long long)n));
        });
        report("copy", n, 8 * n, [&] {
            check(cudaMemcpyAsync(pz, px, 4 * n, cudaMemcpyDeviceToDevice));
        });
    }
}
