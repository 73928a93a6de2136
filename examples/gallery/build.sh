#!/bin/sh
# Compiles every kernel here, or those named, four times with nvcc 13.0: sm_80 and sm_90, -O3 and -G; those of textures and
# surfaces for sm_75, sm_90 and sm_120. The PTX goes to tests/data/gallery, but for builds that differ from an earlier one in
# nothing but the target; what is large (with -G, the debug sections) is compressed. Where NAME.ptxcheck.json lies here, the
# first one becomes NAME.ptx beside it.
#
#     cd examples/gallery && sh build.sh [NAME...]
set -e
cd "$(dirname "$0")"
to=../../tests/data/gallery
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
# The text without its header, comments and debug sections.
program() { sed -e '/^\.version/d' -e '/^\.target/d' -e 's://.*::' -e '/\.section/,$d' "$1"; }
[ $# -gt 0 ] || set -- $(basename -s .cu *.cu)
for name in "$@"; do
  targets="80 90"
  grep -qE 'cuda(Texture|Surface)Object_t' $name.cu && targets="75 90 120"
  # There are no clusters before sm_90.
  grep -q __cluster_dims__ $name.cu && targets=90
  rm -f $to/$name.sm_*.ptx $to/$name.sm_*.ptx.gz
  for build in O3 G; do
    for sm in $targets; do
      nvcc -std=c++17 -ptx -arch=sm_$sm -$build -o $made/new.ptx $name.cu
      [ $sm != ${targets%% *} ] && [ "$(program $made/new.ptx)" = "$(program $made/last.ptx)" ] && continue
      cp $made/new.ptx $made/last.ptx
      mv $made/new.ptx $to/$name.sm_$sm.$build.ptx
    done
  done
  [ -f $name.ptxcheck.json ] && mv $to/$name.sm_${targets%% *}.O3.ptx $name.ptx
  gzip -nf9 $to/$name.sm_*.G.ptx
done
find $to \( -name '*.ptx' -size +100k -o -name 'tex*.ptx' -o -name 'surf*.ptx' \) -exec gzip -nf9 {} +
