/* Counts bytes: in local memory first, then in global memory, by atomic additions. */
kernel void histogram(global const uchar *in, global uint *bins, int n) {
  local uint part[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) part[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&part[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&bins[i], part[i]);
}
