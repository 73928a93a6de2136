#!/bin/sh
# Makes the files beside it from scale.cu and more.cu, by nvcc 13.0 on Linux: cubins, and what holds them and their PTX.
set -e
cd "$(dirname "$0")"
for arch in 80 90; do
  nvcc -cubin -arch=sm_$arch -o sm_$arch.cubin scale.cu
  nvcc -cubin -arch=sm_$arch -lineinfo -o sm_$arch-lineinfo.cubin scale.cu
done
# PTX and machine code for both; and machine code alone, which keeps its PTX.
both="-gencode arch=compute_80,code=[sm_80,compute_80] -gencode arch=compute_90,code=[sm_90,compute_90]"
kept="-lineinfo -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90"
for kind in ptx lineinfo; do
  flags=$both
  [ $kind = ptx ] || flags=$kept
  nvcc -fatbin $flags -o $kind.fatbin scale.cu
  nvcc -c $flags -o $kind.o scale.cu
  nvcc -shared -cudart none -Xcompiler -fPIC $flags -Xlinker -s -o $kind.so scale.cu more.cu
done
