// European options after Black and Scholes, in f32 and in f64.

__device__ float phi(float x) { return 0.5f * erfcf(-0.70710678118654752440f * x); }
__device__ double phi(double x) { return 0.5 * erfc(-0.70710678118654752440 * x); }

template <typename T>
__device__ void price(const T* spot, const T* strike, const T* years, T* call, T* put, int n) {
  const T rate = T(0.02), volatility = T(0.3);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const T s = spot[i], x = strike[i], t = years[i];
    const T root = sqrt(t);
    const T d1 = (log(s / x) + (rate + T(0.5) * volatility * volatility) * t) / (volatility * root);
    const T d2 = d1 - volatility * root;
    const T discounted = x * exp(-rate * t);
    call[i] = s * phi(d1) - discounted * phi(d2);
    put[i] = discounted * phi(-d2) - s * phi(-d1);
  }
}

extern "C" __global__ void options_f32(const float* spot, const float* strike, const float* years, float* call,
                                       float* put, int n) {
  price(spot, strike, years, call, put, n);
}

extern "C" __global__ void options_f64(const double* spot, const double* strike, const double* years, double* call,
                                       double* put, int n) {
  price(spot, strike, years, call, put, n);
}
