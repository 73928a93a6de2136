/* Nothing orders what the work-items of a group store and load. */
kernel void race(global int *out, local int *part) {
  int l = get_local_id(0);
  part[l] = l;
  out[get_group_id(0)] = part[63 - l];
}
