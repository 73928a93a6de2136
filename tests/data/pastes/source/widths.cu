__global__ void widths(double* d, short* s, unsigned char* c, long long* w, float* f) {
  int i = threadIdx.x;
  d[i] = d[i] * 1.5 + f[i];
  s[i] = s[i] * 3 - c[i];
  w[i] = ((long long)s[i] << 33) ^ w[i];
  f[i] = sqrtf(f[i]);
  float4* v = reinterpret_cast<float4*>(f + 4);
  float4 x = v[0];
  if (i == 0) v[0] = make_float4(x.w, x.z, x.y, x.x);
}
