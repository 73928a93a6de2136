// 128-bit integers, signed and unsigned: what nvcc writes with carries and 64-bit products. One result a row of `out`.

using u128 = unsigned __int128;
using s128 = __int128;

extern "C" __global__ void int128(const u128* xs, const u128* ys, u128* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const u128 x = xs[i], y = ys[i];
  const s128 p = static_cast<s128>(x), q = static_cast<s128>(y);
  int row = 0;
  const auto put = [&](u128 value) { out[row++ * n + i] = value; };
  put(x + y);
  put(x - y);
  put(x * y);
  put(x / y);
  put(x % y);
  put(static_cast<u128>(p / q));
  put(static_cast<u128>(p % q));
  put(x << (i & 127));
  put(x >> (i & 127));
  put(static_cast<u128>(p >> (i & 127)));
  put((x & y) ^ ~x);
  put((x < y ? 1 : 0) + (p < q ? 2 : 0) + (x == y ? 4 : 0));
  put(static_cast<u128>(static_cast<unsigned long long>(x)) * static_cast<unsigned long long>(y));
}
