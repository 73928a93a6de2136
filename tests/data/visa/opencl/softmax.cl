/* A row each group: exp(x - max) / sum. */
kernel void softmax(global const float *in, global float *out, local float *part, int n) {
  int l = get_local_id(0), size = get_local_size(0), row = get_group_id(0);
  float most = -INFINITY;
  for (int i = l; i < n; i += size) most = fmax(most, in[row * n + i]);
  part[l] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int span = size / 2; span > 0; span /= 2) {
    if (l < span) part[l] = fmax(part[l], part[l + span]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = l; i < n; i += size) sum += native_exp(in[row * n + i] - most);
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int span = size / 2; span > 0; span /= 2) {
    if (l < span) part[l] += part[l + span];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = l; i < n; i += size) out[row * n + i] = native_exp(in[row * n + i] - most) / part[0];
}
