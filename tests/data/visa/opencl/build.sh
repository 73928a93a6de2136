#!/bin/sh
# Compiles the kernels of this folder by Intel's ocloc (Debian: intel-opencl-icd) to NAME.dg2.visaasm and NAME.pvc.visaasm:
# sh build.sh [NAME...]
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in ${@:-$(ls *.cl | sed 's/\.cl$//')}; do
  options=$(sed -n 's,^// options: ,,p' "$name.cl")
  for device in dg2 pvc; do
    rm -rf "$work"/*
    IGC_ShaderDumpEnable=1 IGC_DumpToCustomDir="$work" ocloc compile -file "$name.cl" -device "$device" ${options:+-options "$options"} -out_dir "$work/out" >"$work/log" 2>&1 || {
      echo "$name for $device: $(tail -n 1 "$work/log")"
      continue
    }
    # Comments say nothing that the lines do not.
    cat "$work"/*entry_0001.visaasm | sed -e 's,[ ]*/// \$.*,,' -e '/^\/\//d' -e 's/[ ]*$//' >"$name.$device.visaasm"
  done
done
