#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <thrust/copy.h>
#include <thrust/functional.h>
#include "../check.cuh"
struct Sq {
  __host__ __device__ double operator()(double x) const { return x * x; }
};
int main() {
  thrust::device_vector<int> v(3000);
  for (int i = 0; i < 3000; i++) v[i] = (i * 37) % 101;
  thrust::sort(v.begin(), v.end());
  auto e = thrust::unique(v.begin(), v.end());
  CHECK(e - v.begin() == 101);
  CHECK(v[50] == 50);
  thrust::device_vector<double> d(1000, 0.5);
  CHECK(thrust::transform_reduce(d.begin(), d.end(), Sq(), 0.0, thrust::plus<double>()) == 250);
  thrust::device_vector<float> k(5), w(5);
  for (int i = 0; i < 5; i++) {
    k[i] = 5 - i;
    w[i] = i;
  }
  thrust::sort_by_key(k.begin(), k.end(), w.begin());
  CHECK(w[0] == 4 && k[0] == 1);
  puts("ok");
}
