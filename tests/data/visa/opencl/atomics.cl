kernel void atomics(global int *cell, global const int *in, global int *old) {
  size_t i = get_global_id(0);
  int v = in[i];
  old[i] = atomic_add(&cell[0], v);
  atomic_max(&cell[1], v);
  atomic_min(&cell[2], v);
  atomic_or(&cell[3], v);
  atomic_xor(&cell[4], v);
  atomic_cmpxchg(&cell[5], 0, v);
  atomic_inc(&cell[6]);
}
