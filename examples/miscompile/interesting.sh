#!/bin/sh
# For creduce or cvise: kernel.cu is interesting while both builds are valid and give different results.
# The compilers under suspicion stand here; NEW is the one that is thought to be wrong.
OLD=${OLD:-"nvcc -ptx -arch=sm_80 -Xcicc -O0"}
NEW=${NEW:-"nvcc -ptx -arch=sm_80"}
$OLD kernel.cu -o old.ptx && $NEW kernel.cu -o new.ptx || exit 1
ptxrun diff old.ptx new.ptx -q --outputs-only --timeout 10s --block 32 -a 0:s32=@inputs.bin -a 1=s32x32:fill=0 -a 2=32
test $? -eq 1
