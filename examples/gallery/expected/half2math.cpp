// Every row of half2math.cu, each half of a pair on its own.
#include "narrow.h"
#include "values.h"

static const uint16_t corners[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00,
                                    0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7fff};

int main() {
  const int n = 300, rows = 19;
  std::vector<uint16_t> in[3];
  for (int operand = 0; operand < 3; operand++)
    for (int i = 0; i < 2 * n; i++) {
      const uint32_t bits = noise();
      const bool corner = bits >> 28 == 0;
      in[operand].push_back(corner ? corners[bits % 12] : (bits & 0x8fff) + 0x2c00);
    }
  std::vector<uint16_t> out(rows * 2 * n);
  std::vector<float> sums(3 * n);
  for (int i = 0; i < n; i++) {
    const Half a[2] = {{in[0][2 * i]}, {in[0][2 * i + 1]}}, b[2] = {{in[1][2 * i]}, {in[1][2 * i + 1]}};
    for (int h = 0; h < 2; h++) {
      const Wide x = a[h].value(), y = b[h].value(), z = Half{in[2][2 * i + h]}.value();
      const bool nan = x != x || y != y;
      const Half fused = Half::round(x * y + z);
      int row = 0;
      const auto put = [&](Half value) { out[row++ * 2 * n + 2 * i + h] = value.bits; };
      put(Half::round(x + y));
      put(Half::round(x - y));
      put(Half::round(x * y));
      put(fused);
      put(saturated(Half::round(x + y)));
      put(saturated(Half::round(x * y)));
      put(saturated(fused));
      put(relu(fused));
      put(least(a[h], b[h]));
      put(greatest(a[h], b[h]));
      put(negated(a[h]));
      put(absolute(a[h]));
      put(truth<Half>(x > y));
      put(truth<Half>(nan || x <= y));
      put(h == 0 ? b[0] : a[1]);
      put(x != x ? Half::nan() : Half::round(std::nearbyint(static_cast<double>(x))));
      put(nan ? Half::nan() : greatest(a[h], b[h]));
      put(Half::round(h == 0 ? a[0].single() * 3.0f : b[1].single() * 0.2f));
      put(h == 0 ? Half::round(i * 37) : Half::round(a[1].single() * 1.1f, true));
    }
    const Wide a0 = a[0].value(), a1 = a[1].value(), b0 = b[0].value(), b1 = b[1].value();
    sums[i] = a[0].single() + a[1].single();
    sums[n + i] = a0 > b0 && a1 > b1 ? 1.0f : a0 == b0 ? 0.5f : 0.0f;
    // A conversion to an integer saturates, and makes a NaN 0.
    const double near = std::nearbyint(static_cast<double>(a0)), size = std::trunc(std::fabs(static_cast<double>(b1)));
    const int32_t left = std::isnan(near) ? 0 : near >= 0x1p31 ? INT32_MAX : near < -0x1p31 ? INT32_MIN : int32_t(near);
    const uint32_t right = std::isnan(size) ? 0 : size >= 0x1p32 ? UINT32_MAX : uint32_t(size);
    sums[2 * n + i] = static_cast<float>(left + right);
  }
  print("x", "u16", in[0]), print("y", "u16", in[1]), print("z", "u16", in[2]);
  print("out", "u16", out), print("sums", "f32", sums);
}
