// What a reference program prints: one array a line, its label, its element type and the elements' bits in hexadecimal.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

template <typename T>
void print(const char* label, const char* type, const std::vector<T>& values) {
  std::printf("%s %s", label, type);
  for (const T& value : values) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    std::printf(" %llx", static_cast<unsigned long long>(bits));
  }
  std::printf("\n");
}

// Numbers without a pattern, the same on every machine: a Weyl sequence, scrambled.
inline uint32_t noise() {
  static uint32_t state = 0;
  uint32_t x = state += 0x9e3779b9u;
  x = (x ^ x >> 16) * 0x21f0aaadu;
  x = (x ^ x >> 15) * 0x735a2d97u;
  return x ^ x >> 15;
}

// A float between -1 and 1 with 24 significant bits at most.
inline float uniform() { return static_cast<float>(static_cast<int32_t>(noise()) >> 8) / 8388608.0f; }
