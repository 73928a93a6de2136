kernel void choose(global const int *op, global const int *a, global const int *b, global int *c) {
  size_t i = get_global_id(0);
  int r;
  switch (op[i]) {
    case 0: r = a[i] + b[i]; break;
    case 1: r = a[i] - b[i]; break;
    case 2: r = a[i] * b[i]; break;
    case 3: r = min(a[i], b[i]); break;
    case 4: r = max(a[i], b[i]); break;
    default: r = ~a[i]; break;
  }
  c[i] = r;
}
