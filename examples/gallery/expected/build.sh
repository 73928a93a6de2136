#!/bin/sh
# Computes the values that the test compares with, on the host alone: C++ without contraction, and mpmath. From those, and
# from closed forms, the golden checks beside the PTX.
#
#     sh expected/build.sh
set -e
cd "$(dirname "$0")"
to=../../../tests/data/gallery
for source in *.cpp; do
  name=${source%.cpp}
  g++ -O2 -std=gnu++17 -Wall -ffp-contract=off -o "${TMPDIR:-/tmp}/gallery-$name" "$source"
  "${TMPDIR:-/tmp}/gallery-$name" | gzip -n9 > $to/$name.values.gz
done
for name in mathf mathd blackscholes; do python3 math.py $name | gzip -n9 > $to/$name.values.gz; done
python3 cases.py
