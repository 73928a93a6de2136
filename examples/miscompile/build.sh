#!/bin/sh
# Compiles both kernels twice by nvcc 13.0, and then plants a fault in O3/mix.ptx: a shift that forgets the sign.
cd "$(dirname "$0")" || exit 1
for name in mix dot; do
  nvcc -ptx -arch=sm_80 -Xcicc -O0 $name.cu -o O0/$name.ptx
  nvcc -ptx -arch=sm_80 $name.cu -o O3/$name.ptx
done
# The second of the three shifts.
awk '/shr\.s32/ && ++n == 2 { sub(/shr\.s32/, "shr.u32") } { print }' O3/mix.ptx >O3/mix.new && mv O3/mix.new O3/mix.ptx
