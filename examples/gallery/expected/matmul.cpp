// C = A * B, one fma an element of the sum in the order of the sum. The 0 * 0 that the kernel adds behind the last
// changes nothing.
#include <cmath>

#include "values.h"

int main() {
  const int rows = 70, inner = 45, columns = 53;
  std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
  for (float& value : a) value = uniform() * 8;
  for (float& value : b) value = uniform();
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      float sum = 0;
      for (int k = 0; k < inner; k++) sum = std::fmaf(a[row * inner + k], b[k * columns + column], sum);
      c[row * columns + column] = sum;
    }
  print("a", "f32", a), print("b", "f32", b), print("c", "f32", c);
}
