// options: -cl-std=CL3.0
#pragma OPENCL EXTENSION cl_ext_float_atomics : enable
kernel void floats_atomic(global atomic_float *cells, global const float *a) {
  float x = a[get_global_id(0)];
  atomic_fetch_add_explicit(cells, x, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(cells + 1, x, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(cells + 2, x, memory_order_relaxed, memory_scope_device);
}
