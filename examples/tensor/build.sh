#!/bin/sh
# Compiles every kernel here, or those named, with nvcc 13.0 for the targets that its first line lists: `sm_90a.O3` is
# optimised, `sm_90a.G` is -G. The PTX goes to tests/data/kernels, compressed.
#
#     cd examples/tensor && sh build.sh [NAME...]
set -e
cd "$(dirname "$0")"
to=../../tests/data/kernels
mkdir -p $to
[ $# -gt 0 ] || set -- $(basename -s .cu *.cu)
for name in "$@"; do
  rm -f $to/$name.*.ptx.gz
  for build in $(sed -n '1s,^// builds: ,,p' $name.cu); do
    out=$to/$name.$build.ptx
    nvcc -std=c++17 -diag-suppress 20054 -ptx -arch=${build%.*} -${build#*.} -o $out $name.cu
    ptxas -arch=${build%.*} -o /dev/null $out 2>&1 | grep -v Advisory || true
    gzip -nf9 $out
  done
done
