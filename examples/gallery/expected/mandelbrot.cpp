// Steps of z = z * z + c before |z| is above 2, in f32 and f64, with the kernel's fmas.
#include <cmath>

#include "values.h"

template <typename T>
uint16_t steps(T x0, T y0, int most) {
  T x = 0, y = 0;
  uint16_t count = 0;
  while (count < most && std::fma(x, x, y * y) <= T(4)) {
    const T next = std::fma(x, x, std::fma(-y, y, x0));
    y = std::fma(x + x, y, y0);
    x = next;
    count++;
  }
  return count;
}

int main() {
  const int width = 120, height = 102, most = 40;
  std::vector<uint16_t> single, twice;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      single.push_back(steps<float>(std::fmaf(x, 0.0234375f, -2.0f), std::fmaf(y, 0.0234375f, -1.25f), most));
      twice.push_back(steps<double>(std::fma(x, 0.025, -2.0), std::fma(y, 0.025, -1.25), most));
    }
  print("single", "u16", single), print("twice", "u16", twice);
}
