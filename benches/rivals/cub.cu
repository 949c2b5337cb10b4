// CUB and Thrust's parts on the same kernels as `bench in-a-row`, and CUDA's own launches beside
// `bench launch`: one line of JSON each.
// nvcc -O3 -arch=native -o cub cub.cu

#include <algorithm>
#include <chrono>
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

// As above, but by the host's clock, and in seconds of a call: what rounds of many calls took.
static void report_launch(const char* race, size_t n, std::vector<double> all) {
    std::sort(all.begin(), all.end());
    std::printf(
        "{\"race\":\"%s\",\"elems\":%zu,\"contender\":\"cuda\",\"rounds\":%zu,\"median_s\":%g}\n", race,
        n, all.size(), all[all.size() / 2]);
    std::fflush(stdout);
}

__global__ void twice(const float* x, float* y, size_t n) {
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at < n) {
        y[at] = 2.0f * x[at];
    }
}

// What launches cost: until they are handed over, until many are done, and until the sum of few elements
// is known, one by one.
static void launches() {
    const size_t n = 64;
    const int rounds = 51, calls = 500;
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count() / calls;
    };
    thrust::device_vector<float> x(n, 1.5f), y(n);
    float* px = thrust::raw_pointer_cast(x.data());
    float* py = thrust::raw_pointer_cast(y.data());
    size_t bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, bytes, px, py, (long long)n));
    thrust::device_vector<char> room(bytes);
    void* at = thrust::raw_pointer_cast(room.data());
    std::vector<double> given, done, told;
    for (int round = 0; round < rounds; round++) {
        check(cudaDeviceSynchronize());
        auto start = Clock::now();
        for (int k = 0; k < calls; k++) {
            twice<<<1, 64>>>(px, py, n);
            std::swap(px, py);
        }
        given.push_back(since(start));
        check(cudaDeviceSynchronize());
        done.push_back(since(start));
        start = Clock::now();
        for (int k = 0; k < calls; k++) {
            float sum;
            check(cub::DeviceReduce::Sum(at, bytes, px, py, (long long)n));
            check(cudaMemcpy(&sum, py, sizeof sum, cudaMemcpyDeviceToHost));
        }
        told.push_back(since(start));
    }
    report_launch("map, handed over", n, given);
    report_launch("map, many at once", n, done);
    report_launch("reduce, one by one", n, told);
}

struct Saxpy {
    __host__ __device__ float operator()(float x, float y) const { return 3.0f * x + y; }
};

int main() {
    launches();
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
