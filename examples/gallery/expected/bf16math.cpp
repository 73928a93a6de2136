// Every row of bf16math.cu, each half of a pair on its own.
#include "narrow.h"
#include "values.h"

static const uint16_t corners[] = {0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x3f80,
                                    0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fff};

int main() {
  const int n = 300, rows = 13;
  std::vector<uint16_t> in[3];
  for (int operand = 0; operand < 3; operand++)
    for (int i = 0; i < 2 * n; i++) {
      const uint32_t bits = noise();
      const bool corner = bits >> 28 == 0;
      in[operand].push_back(corner ? corners[bits % 12] : (bits & 0x83ff) + 0x3d80);
    }
  std::vector<uint16_t> out(rows * 2 * n);
  std::vector<float> sums(2 * n);
  for (int i = 0; i < n; i++) {
    const Bfloat a[2] = {{in[0][2 * i]}, {in[0][2 * i + 1]}}, b[2] = {{in[1][2 * i]}, {in[1][2 * i + 1]}};
    for (int h = 0; h < 2; h++) {
      const Wide x = a[h].value(), y = b[h].value(), z = Bfloat{in[2][2 * i + h]}.value();
      int row = 0;
      const auto put = [&](Bfloat value) { out[row++ * 2 * n + 2 * i + h] = value.bits; };
      put(Bfloat::round(x + y));
      put(Bfloat::round(x - y));
      put(Bfloat::round(x * y));
      put(Bfloat::round(x * y + z));
      put(relu(Bfloat::round(x * y + z)));
      put(least(a[h], b[h]));
      put(greatest(a[h], b[h]));
      put(negated(a[h]));
      put(absolute(a[h]));
      put(truth<Bfloat>(x < y));
      put(h == 0 ? b[0] : a[1]);
      put(Bfloat::round(h == 0 ? a[0].single() * 3.0f : b[1].single() * 0.2f));
      put(h == 0 ? Bfloat::round(a[0].single() * 1.1f, true) : Bfloat::round(i * 37));
    }
    const Wide a0 = a[0].value(), a1 = a[1].value(), b0 = b[0].value(), b1 = b[1].value();
    sums[i] = a[0].single() + b[1].single();
    sums[n + i] = a0 == b0 && a1 == b1 ? 1.0f : a0 >= b0 ? 0.5f : 0.0f;
  }
  print("x", "u16", in[0]), print("y", "u16", in[1]), print("z", "u16", in[2]);
  print("out", "u16", out), print("sums", "f32", sums);
}
