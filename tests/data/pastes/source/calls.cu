namespace ns {
template <class T> struct Scaled {
  T by;
  __device__ __noinline__ T operator()(int x) const { return by * x + 1; }
};
}
struct Bits { unsigned v; };
__device__ __noinline__ Bits operator<<(Bits a, int n) { return Bits{a.v << n}; }
__device__ __noinline__ float blend(float a, double b, float t) { return a + (float)((b - a) * t); }
__global__ void calls(float* f, unsigned* u, int n) {
  ns::Scaled<int> s{n};
  f[0] = blend(f[0], f[1], 0.25f);
  u[0] = s((int)u[0]);
  u[1] = (Bits{u[1]} << 4).v;
}
