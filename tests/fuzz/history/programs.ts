import { readFileSync } from "node:fs";
import { everything } from "../../unit/interp/everything.ts";

/** A program of the property, and the options of the command line that it is launched with. */
export interface Subject {
  readonly name: string;
  readonly text: string;
  readonly argv: readonly string[];
}

const header = ".version 9.0\n.target sm_90\n.address_size 64\n";
const root = new URL("../../../", import.meta.url);
const example = (name: string): string => readFileSync(new URL(`examples/${name}`, root), "utf8");
const printing = everything
  .replace("{ 37, 100, 44, 37, 100, 10, 0 }", `{ ${[..."g:%d,%d\n\0"].map((each) => each.charCodeAt(0)).join(", ")} }`)
  .replace("text[8]", "text[9]");

const body = (name: string, declared: string, code: string, parameters = ""): string =>
  `${header}.entry ${name}(${parameters})\n{\n${declared}\n${code}\n  ret;\n}\n`;

/** Loops, lanes that diverge, barriers, shared memory, atomics, calls, printf, the heap, faults, endless waits, tools, seeds. */
export const subjects: readonly Subject[] = [
  { name: "carry", argv: ["-r", "x=0xffffffff"], text: "mov.u32 i, 0;\nagain: add.cc.u32 a, x, i;\naddc.cc.u32 b, a, a;\naddc.u32 c, b, 0;\nadd.u32 i, i, 1;\nsetp.lt.u32 p, i, 6;\n@p bra again;\n" },
  { name: "half", argv: ["-r", "h=0x3c00", "-r", "k=0x7bff"], text: "mul.rn.f16 m, h, k;\nadd.rn.f16 s, m, k;\nsub.rn.f16 n, s, s;\nfma.rn.f16 f, n, h, k;\nsetp.nan.f16 p, f, f;\nselp.b32 d, 1, 2, p;\nmov.b32 e, d;\n" },
  { name: "apart", argv: ["--block", "32"], text: body("apart", ".reg .pred p<4>; .reg .b32 t, i, d;", "  mov.u32 t, %tid.x;\n  mov.u32 i, 0;\nround:\n  and.b32 d, t, 3;\n  setp.eq.u32 p0, d, i;\n  @p0 bra one;\n  setp.gt.u32 p1, t, 20;\n  @p1 bra two;\n  add.u32 d, d, 7;\n  bra join;\none:\n  mul.lo.u32 d, d, t;\n  bra join;\ntwo:\n  xor.b32 d, d, i;\njoin:\n  add.u32 i, i, 1;\n  shr.u32 t, t, 1;\n  setp.le.u32 p2, i, t;\n  @p2 bra round;") },
  { name: "barriers", argv: ["--block", "96"], text: body("barriers", ".shared .b32 s[96]; .reg .pred p; .reg .b32 t, i, a, v;", "  mov.u32 t, %tid.x;\n  mov.u32 i, 0;\n  shl.b32 a, t, 2;\n  mov.u32 v, s;\n  add.u32 a, a, v;\nround:\n  st.shared.b32 [a], t;\n  bar.sync 0;\n  xor.b32 v, a, 4;\n  ld.shared.b32 v, [v];\n  add.u32 t, t, v;\n  bar.sync 0;\n  add.u32 i, i, 1;\n  setp.lt.u32 p, i, 3;\n  @p bra round;") },
  { name: "atomics", argv: ["--grid", "3", "--block", "40", "--schedule", "random:5", "-a", "out=u32x4:fill=0"], text: body("atomics", ".reg .pred p; .reg .b32 t, i, z; .reg .b64 o;", "  ld.param.b64 o, [out];\n  mov.u32 i, 0;\n  mov.u32 t, %tid.x;\nround:\n  atom.global.add.u32 z, [o], t;\n  red.global.max.u32 [o+4], z;\n  atom.global.exch.b32 t, [o+8], z;\n  add.u32 i, i, 1;\n  setp.lt.u32 p, i, 4;\n  @p bra round;", ".param .b64 out") },
  { name: "recursion", argv: ["--block", "5"], text: `${header}.func (.param .b32 r) fib(.param .b32 n)\n{\n  .reg .b32 a, b; .reg .pred p; .local .b32 keep;\n  ld.param.b32 a, [n];\n  setp.lt.u32 p, a, 2;\n  @p bra done;\n  { .param .b32 x, y; sub.u32 b, a, 1; st.param.b32 [x], b; call (y), fib, (x); ld.param.b32 b, [y]; st.local.b32 [keep], b; }\n  { .param .b32 x, y; sub.u32 b, a, 2; st.param.b32 [x], b; call (y), fib, (x); ld.param.b32 b, [y]; ld.local.b32 a, [keep]; add.u32 a, a, b; }\ndone:\n  st.param.b32 [r], a;\n  ret;\n}\n.entry k()\n{\n  .reg .b32 t, d;\n  mov.u32 t, %tid.x;\n  { .param .b32 x, y; st.param.b32 [x], t; call (y), fib, (x); ld.param.b32 d, [y]; }\n  add.u32 d, d, t;\n  ret;\n}\n` },
  { name: "everything", argv: ["--grid", "2", "--block", "48", "-a", "out=u32x256:fill=0", "-a", "rounds=2"], text: printing },
  { name: "everything, shuffled", argv: ["--grid", "3", "--block", "48", "--schedule", "random:7", "-a", "out=u32x256:fill=0", "-a", "rounds=1"], text: printing },
  { name: "fault of some lanes", argv: ["--block", "32", "-a", "x=u32x20:iota"], text: body("some", ".reg .pred p; .reg .b32 t, v; .reg .b64 o, w;", "  ld.param.b64 o, [x];\n  mov.u32 t, %tid.x;\n  mul.wide.u32 w, t, 4;\n  add.u64 o, o, w;\n  setp.lt.u32 p, t, 20;\n  @p ld.global.u32 v, [o];\n  add.u32 v, v, 1;\n  st.global.u32 [o], v;\n  add.u32 v, v, 1;", ".param .b64 x") },
  { name: "deadlock", argv: ["--block", "64"], text: example("checks/deadlock.ptx") },
  { name: "divergent barrier", argv: ["--block", "64"], text: example("checks/divergent-barrier.ptx") },
  { name: "race", argv: ["--block", "64", "--sanitize", "mem,sync,race", "-a", "x=u32x64:iota", "-a", "barrier=0"], text: example("checks/missing-barrier.ptx") },
  { name: "unwritten", argv: ["--block", "64", "-a", "x=u32x64:iota", "-a", "barrier=0"], text: example("checks/missing-barrier.ptx") },
  { name: "handed over", argv: ["--grid", "2", "--schedule", "random:11", "--sanitize", "mem,init,sync,race", "-a", "flag=u32x1:0", "-a", "data=u32x1:0", "-a", "out=u32x1:0"], text: example("checks/producer-consumer.ptx") },
  { name: "lock", argv: ["--block", "6", "-a", "lock=u32x1:0", "-a", "count=u32x1:0"], text: example("checks/spin-lock.ptx") },
  { name: "cluster", argv: ["--grid", "4", "--cluster", "2", "--block", "33"], text: body("cluster", ".shared .b32 s; .reg .pred p; .reg .b32 t, r, a, v;", "  mov.u32 t, %tid.x;\n  setp.eq.u32 p, t, 0;\n  mov.u32 v, %ctaid.x;\n  @p st.shared.b32 [s], v;\n  barrier.cluster.arrive;\n  barrier.cluster.wait;\n  mov.u32 r, %cluster_ctarank;\n  xor.b32 r, r, 1;\n  mov.u32 a, s;\n  mapa.shared::cluster.u32 a, a, r;\n  ld.shared::cluster.b32 v, [a];\n  add.u32 v, v, t;\n  barrier.cluster.arrive;\n  barrier.cluster.wait;") },
  { name: "lanes", argv: ["--block", "32"], text: body("lanes", ".reg .pred p, q; .reg .b32 t, v, w;", "  mov.u32 t, %tid.x;\n  setp.lt.u32 p, t, 16;\n  mov.u32 v, t;\n  @p bra low;\n  shfl.sync.bfly.b32 v|q, v, 17, 0x1f, 0xffffffff;\n  bra met;\nlow:\n  add.u32 v, v, 100;\n  shfl.sync.bfly.b32 v|q, v, 17, 0x1f, 0xffffffff;\nmet:\n  vote.sync.ballot.b32 w, q, 0xffffffff;\n  @p bar.warp.sync 0xffff;\n  redux.sync.add.u32 v, v, 0xffffffff;") },
  { name: "long", argv: ["--block", "33"], text: body("long", ".reg .pred p; .reg .b32 t, i; .reg .b64 x, y;", "  mov.u32 t, %tid.x;\n  cvt.u64.u32 x, t;\n  mov.u32 i, 0;\n  mov.u64 y, 6364136223846793005;\nround:\n  mad.lo.u64 x, x, y, 1442695040888963407;\n  shr.u64 y, x, 33;\n  or.b64 y, y, 1;\n  add.u32 i, i, 1;\n  setp.lt.u32 p, i, 700;\n  @p bra round;") },
  { name: "without end", argv: ["--max-steps", "1500"], text: "mov.u32 i, 0;\nagain: add.u32 i, i, 3;\nxor.b32 d, i, d;\nbra again;\n" },
  { name: "freed twice", argv: ["--block", "3"], text: `${header}.extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 a);\n.entry k()\n{\n  .reg .b64 h, n; .reg .b32 t; .reg .pred p;\n  mov.u32 t, %tid.x;\n  mov.u64 n, 40;\n  { .param .b64 x; .param .b64 y; st.param.b64 [x], n; call (y), malloc, (x); ld.param.b64 h, [y]; }\n  st.u32 [h], t;\n  { .param .b64 x; st.param.b64 [x], h; call free, (x); }\n  setp.eq.u32 p, t, 1;\n  @!p bra over;\n  { .param .b64 x; st.param.b64 [x], h; call free, (x); }\nover:\n  add.u32 t, t, 1;\n  ret;\n}\n` },
  { name: "in flight", argv: ["--block", "64", "-a", "x=u32x64:iota", "-a", "out=u32x64:fill=0"], text: body("flight", ".shared .align 16 .b8 s[256]; .shared .align 8 .b64 m; .reg .pred p, q; .reg .b32 t, a, b, v; .reg .b64 i, o, w;", "  ld.param.b64 i, [x];\n  ld.param.b64 o, [out];\n  mov.u32 t, %tid.x;\n  mul.wide.u32 w, t, 4;\n  add.u64 i, i, w;\n  add.u64 o, o, w;\n  setp.eq.u32 p, t, 0;\n  @p mbarrier.init.shared.b64 [m], 64;\n  bar.sync 0;\n  shl.b32 a, t, 2;\n  mov.u32 b, s;\n  add.u32 a, a, b;\n  cp.async.ca.shared.global [a], [i], 4;\n  cp.async.mbarrier.arrive.noinc.shared.b64 [m];\nwait:\n  mbarrier.try_wait.parity.shared.b64 q, [m], 0;\n  @!q bra wait;\n  xor.b32 a, a, 128;\n  ld.shared.b32 v, [a];\n  st.global.b32 [o], v;\n  cp.async.ca.shared.global [a], [i], 4;\n  cp.async.commit_group;\n  ld.shared.b32 v, [a];\n  cp.async.wait_group 0;\n  ld.shared.b32 t, [a];", ".param .b64 x, .param .b64 out") },
  { name: "in flight, drawn", argv: ["--block", "40", "--async", "random:3", "-a", "x=u32x64:iota"], text: body("drawn", ".shared .align 16 .b8 s[1024]; .reg .pred p; .reg .b32 t, a, b, n, v; .reg .b64 i, w;", "  ld.param.b64 i, [x];\n  mov.u32 t, %tid.x;\n  mul.wide.u32 w, t, 4;\n  add.u64 i, i, w;\n  shl.b32 a, t, 2;\n  mov.u32 b, s;\n  add.u32 a, a, b;\n  mov.u32 n, 0;\nround:\n  cp.async.ca.shared.global [a], [i], 4;\n  cp.async.commit_group;\n  cp.async.wait_group 1;\n  ld.shared.b32 v, [a];\n  xor.b32 a, a, 512;\n  add.u32 n, n, 1;\n  setp.lt.u32 p, n, 5;\n  @p bra round;\n  cp.async.wait_all;", ".param .b64 x") },
  { name: "vISA", argv: ["-r", "A=3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33", "-r", "B=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"], text: example("visa/loop.visaasm") },
]; // biome-ignore format: programs in a line each
