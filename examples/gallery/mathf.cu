// Functions of the f32 math library, as nvcc inlines them; one function a row of `out`. x goes through all
// magnitudes, y is moderate.

extern "C" __global__ void mathf(const float* xs, const float* ys, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = xs[i], y = ys[i], positive = fabsf(x);
  int row = 0;
  const auto put = [&](float value) { out[row++ * n + i] = value; };
  put(sinf(x));
  put(cosf(x));
  put(tanf(y));
  put(expf(y));
  put(exp2f(y));
  put(expm1f(y));
  put(logf(positive));
  put(log2f(positive));
  put(log10f(positive));
  put(log1pf(positive));
  put(powf(positive, y));
  put(tanhf(y));
  put(sinhf(y));
  put(atanf(x));
  put(atan2f(y, x));
  put(asinf(y * 0.03125f));
  put(acosf(y * 0.03125f));
  put(erff(y));
  put(erfcf(y));
  put(tgammaf(y));
  put(lgammaf(positive));
  put(cbrtf(x));
  put(rsqrtf(positive));
  put(hypotf(x, y));
  put(fmodf(x, y));
  put(sinpif(y));
  put(sqrtf(positive));
  put(x / y);
  put(__frcp_rn(x));
  put(rintf(y));
  put(truncf(y));
  put(ldexpf(y, 5));
}
