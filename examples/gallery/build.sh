#!/bin/sh
# Compiles every kernel here, or those named, four times with nvcc 13.0: sm_80 and sm_90, -O3 and -G; those of textures and
# surfaces for sm_75, sm_90 and sm_120. The PTX goes to tests/data/gallery; what is large (with -G, the debug sections) is compressed. Where NAME.ptxcheck.json lies here, the
# first one becomes NAME.ptx beside it.
#
#     cd examples/gallery && sh build.sh [NAME...]
set -e
cd "$(dirname "$0")"
to=../../tests/data/gallery
[ $# -gt 0 ] || set -- $(basename -s .cu *.cu)
for name in "$@"; do
  targets="80 90"
  grep -qE 'cuda(Texture|Surface)Object_t' $name.cu && targets="75 90 120"
  for sm in $targets; do
    # There are no clusters before sm_90.
    first=${targets%% *}
    grep -q __cluster_dims__ $name.cu && first=90
    [ $sm -lt $first ] && continue
    optimised=$to/$name.sm_$sm.O3.ptx
    [ $sm = $first ] && [ -f $name.ptxcheck.json ] && optimised=$name.ptx
    nvcc -std=c++17 -ptx -arch=sm_$sm -O3 -o $optimised $name.cu
    nvcc -std=c++17 -ptx -arch=sm_$sm -G -o $to/$name.sm_$sm.G.ptx $name.cu
  done
  gzip -nf9 $to/$name.sm_*.G.ptx
done
find $to \( -name '*.ptx' -size +100k -o -name 'tex*.ptx' -o -name 'surf*.ptx' \) -exec gzip -nf9 {} +
