; RUN: llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 < %s | FileCheck %s
; RUN: llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 < %s | ptxrun lit %s
; PTXTEST: add(3, 4) -> 7
; PTXTEST: add(-3, 1) -> -2
; CHECK-LABEL: add
define i32 @add(i32 %a, i32 %b) {
  %r = add i32 %a, %b
  ret i32 %r
}
