// The same butterflies, recursively: the transform of the even points, that of the odd ones, and one round over both.
// The last line is the transform by its definition in f64, which the test holds the result against as well.
#include <cmath>

#include "values.h"

struct Point {
  float x, y;
};

std::vector<Point> roots;

std::vector<Point> transform(const std::vector<Point>& in) {
  const size_t n = in.size(), half = n / 2;
  if (n == 1) return in;
  std::vector<Point> even, odd, out(n);
  for (size_t i = 0; i < n; i += 2) even.push_back(in[i]), odd.push_back(in[i + 1]);
  even = transform(even), odd = transform(odd);
  for (size_t k = 0; k < half; k++) {
    const Point w = roots[k * (256 / half)], a = even[k], b = odd[k];
    const float x = std::fmaf(b.x, w.x, -(b.y * w.y)), y = std::fmaf(b.x, w.y, b.y * w.x);
    out[k] = {a.x + x, a.y + y};
    out[k + half] = {a.x - x, a.y - y};
  }
  return out;
}

int main() {
  const double turn = 2 * 3.14159265358979323846 / 512;
  std::vector<float> in, table, out;
  std::vector<double> exact;
  for (int k = 0; k < 256; k++) {
    roots.push_back({static_cast<float>(std::cos(turn * k)), static_cast<float>(-std::sin(turn * k))});
    table.insert(table.end(), {roots[k].x, roots[k].y});
  }
  for (int block = 0; block < 3; block++) {
    std::vector<Point> points(512);
    for (Point& p : points) p = {uniform(), uniform()};
    for (const Point& p : points) in.insert(in.end(), {p.x, p.y});
    for (const Point& p : transform(points)) out.insert(out.end(), {p.x, p.y});
    for (int k = 0; k < 512; k++) {
      double x = 0, y = 0;
      for (int i = 0; i < 512; i++) {
        const double c = std::cos(turn * (i * k % 512)), s = -std::sin(turn * (i * k % 512));
        x += points[i].x * c - points[i].y * s, y += points[i].x * s + points[i].y * c;
      }
      exact.insert(exact.end(), {x, y});
    }
  }
  print("in", "f32", in), print("roots", "f32", table), print("out", "f32", out), print("exact", "f64", exact);
}
