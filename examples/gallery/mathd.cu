// Functions of the f64 math library, as nvcc inlines them; one function a row of `out`.

extern "C" __global__ void mathd(const double* xs, const double* ys, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = xs[i], y = ys[i], positive = fabs(x);
  int row = 0;
  const auto put = [&](double value) { out[row++ * n + i] = value; };
  put(sin(x));
  put(cos(x));
  put(tan(y));
  put(exp(y));
  put(exp2(y));
  put(expm1(y));
  put(log(positive));
  put(log2(positive));
  put(log10(positive));
  put(log1p(positive));
  put(pow(positive, y));
  put(tanh(y));
  put(sinh(y));
  put(atan(x));
  put(atan2(y, x));
  put(asin(y * 0.03125));
  put(acos(y * 0.03125));
  put(erf(y));
  put(erfc(y));
  put(tgamma(y));
  put(lgamma(positive));
  put(cbrt(x));
  put(rsqrt(positive));
  put(hypot(x, y));
  put(fmod(x, y));
  put(sinpi(y));
  put(sqrt(positive));
  put(x / y);
  put(1.0 / x);
  put(rint(y));
  put(trunc(y));
  put(ldexp(y, 5));
}
