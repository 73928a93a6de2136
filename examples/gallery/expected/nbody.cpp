// One step of n bodies, in the order of the kernel's operations.
#include <cmath>

#include "values.h"

struct Body {
  float x, y, z, w;
};

int main() {
  const int n = 203;
  const float dt = 0.0625f;
  std::vector<Body> bodies(n), speeds(n), moved(n);
  std::vector<float> before, after, at, to;
  for (Body& body : bodies) body.x = uniform(), body.y = uniform(), body.z = uniform(), body.w = uniform() + 1.5f;
  for (Body& speed : speeds) speed.x = uniform(), speed.y = uniform(), speed.z = uniform(), speed.w = 0;
  for (const Body& s : speeds) before.insert(before.end(), {s.x, s.y, s.z, s.w});
  for (int i = 0; i < n; i++) {
    const Body me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (const Body& other : bodies) {
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float square = std::fmaf(dx, dx, std::fmaf(dy, dy, std::fmaf(dz, dz, 0.01f)));
      const float inverse = 1.0f / std::sqrt(square);
      const float pull = other.w * (inverse * (inverse * inverse));
      ax = std::fmaf(dx, pull, ax), ay = std::fmaf(dy, pull, ay), az = std::fmaf(dz, pull, az);
    }
    Body& s = speeds[i];
    s.x = std::fmaf(ax, dt, s.x), s.y = std::fmaf(ay, dt, s.y), s.z = std::fmaf(az, dt, s.z);
    moved[i] = {std::fmaf(s.x, dt, me.x), std::fmaf(s.y, dt, me.y), std::fmaf(s.z, dt, me.z), me.w};
  }
  for (const Body& s : speeds) after.insert(after.end(), {s.x, s.y, s.z, s.w});
  for (const Body& b : bodies) at.insert(at.end(), {b.x, b.y, b.z, b.w});
  for (const Body& b : moved) to.insert(to.end(), {b.x, b.y, b.z, b.w});
  print("bodies", "f32", at), print("before", "f32", before), print("after", "f32", after), print("moved", "f32", to);
}
