// SHA-256, one message a thread. Message i is text[start[i]] up to, not including, text[start[i + 1]].

#include <cstdint>

__constant__ uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

__device__ void compress(uint32_t state[8], const uint8_t block[64]) {
  uint32_t w[64];
  for (int i = 0; i < 16; i++)
    w[i] = block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  uint32_t s[8];
  for (int i = 0; i < 8; i++) s[i] = state[i];
  for (int i = 0; i < 64; i++) {
    const uint32_t e = s[4], a = s[0];
    const uint32_t choice = (e & s[5]) ^ (~e & s[6]), majority = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
    const uint32_t t = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + K[i] + w[i];
    const uint32_t u = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    for (int j = 7; j > 0; j--) s[j] = s[j - 1];
    s[4] += t, s[0] = t + u;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

extern "C" __global__ void sha256(const uint8_t* text, const uint32_t* start, uint8_t* digests, int messages) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= messages) return;
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const uint8_t* message = text + start[i];
  const uint32_t length = start[i + 1] - start[i];
  uint8_t block[64];
  const uint32_t padded = (length + 9 + 63) / 64 * 64;
  for (uint32_t at = 0; at < padded; at++) {
    uint8_t byte = at < length ? message[at] : at == length ? 0x80 : 0;
    if (at + 4 >= padded) byte = uint8_t((length * 8) >> 8 * (padded - 1 - at));
    block[at % 64] = byte;
    if (at % 64 == 63) compress(state, block);
  }
  for (int j = 0; j < 32; j++) digests[32 * i + j] = uint8_t(state[j / 4] >> (24 - 8 * (j % 4)));
}
