// Tables in constant memory: structs that the source fills, bytes that the host fills; addresses as initial values.

struct Filter {
  char name[12];
  int taps;
  float weights[5];
  double scale;
};

__constant__ Filter filters[2] = {{"smooth", 3, {0.25f, 0.5f, 0.25f}, 1.0}, {"edge", 5, {-1, -2, 6, -2, -1}, 0.125}};
__constant__ unsigned char uploaded[256];
__device__ int primes[6] = {2, 3, 5, 7, 11, 13};
__device__ int* const ends[2] = {primes, primes + 5};

extern "C" __global__ void constants(const unsigned char* in, float* out, int* letters, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int f = 0; f < 2; f++) {
    const Filter& filter = filters[f];
    float sum = 0;
    for (int tap = 0; tap < filter.taps; tap++) {
      const int at = min(max(i + tap - filter.taps / 2, 0), n - 1);
      sum = fmaf(uploaded[in[at]], filter.weights[tap], sum);
    }
    out[f * n + i] = static_cast<float>(sum * filter.scale);
  }
  letters[i] = filters[i % 2].name[i % 12] + 1000 * *ends[i % 2] + 100000 * primes[i % 6];
}
