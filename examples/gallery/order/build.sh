#!/bin/sh
# Compiles every kernel here, or those named, with nvcc 13.0 for sm_80. What nvcc writes is committed as it is.
#
#     sh examples/gallery/order/build.sh [NAME...]
set -e
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- $(basename -s .cu *.cu)
for name in "$@"; do nvcc -std=c++17 -ptx -arch=sm_80 -O3 -o $name.ptx $name.cu; done
