import { createHash } from "node:crypto";
import { must } from "../../../src/host/index.ts";
import type { LaunchOptions } from "../../../src/host/launch/kernel.ts";
import { imageOf } from "../../../src/host/module/image.ts";
import { Module } from "../../../src/host/module/module.ts";
import { MachineView } from "../../../src/interp/index.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { Memory } from "../../../src/interp/memory/memory.ts";
import { Source } from "../../../src/source/source.ts";

/**
 * A kernel that uses whatever keeps state between instructions: lanes that go apart, barriers and their reductions,
 * instructions among lanes, atomics, recursion with frames, printf, the heap, CC.CF, shared and local memory.
 */
export const everything = `.version 9.0
.target sm_90
.address_size 64
.global .align 1 .b8 text[8] = { 37, 100, 44, 37, 100, 10, 0 };
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 a);
.func (.param .b32 r) fib(.param .b32 n)
{
  .local .b32 first;
  .reg .b32 a, b; .reg .pred p;
  ld.param.b32 a, [n];
  setp.lt.u32 p, a, 2;
  @p bra done;
  { .param .b32 x, y; sub.u32 b, a, 1; st.param.b32 [x], b; call (y), fib, (x); ld.param.b32 b, [y]; st.local.b32 [first], b; }
  { .param .b32 x, y; sub.u32 b, a, 2; st.param.b32 [x], b; call (y), fib, (x); ld.param.b32 b, [y]; ld.local.b32 a, [first]; add.u32 a, a, b; }
done:
  st.param.b32 [r], a;
  ret;
}
.entry k(.param .b64 out, .param .b32 rounds)
{
  .shared .align 4 .b32 sum;
  .local .align 8 .b8 room[16];
  .reg .b32 t, i, n, d, e, c, z;
  .reg .b64 o, w, h, f, a;
  .reg .pred p, q;
  ld.param.b64 o, [out];
  ld.param.b32 n, [rounds];
  mov.u32 t, %tid.x;
  mov.u32 c, %ctaid.x;
  mad.lo.u32 e, c, 48, t;
  mul.wide.u32 w, e, 4;
  add.u64 w, w, o;
  mov.u32 i, 0;
  setp.ne.u32 p, t, 0;
  @!p st.shared.u32 [sum], i;
  bar.sync 0;
round:
  xor.b32 d, t, i;
  and.b32 d, d, 3;
  { .param .b32 x, y; st.param.b32 [x], d; call (y), fib, (x); ld.param.b32 d, [y]; }
apart:
  atom.shared.add.u32 z, [sum], 1;
  sub.u32 d, d, 1;
  setp.lt.s32 q, d, 0;
  @!q bra apart;
  add.cc.u32 z, z, 4294963200;
  addc.u32 e, i, 0;
  shfl.sync.bfly.b32 z|q, e, 1, 0x1f, 0xffffffff;
  bar.red.popc.u32 z, 1, 64, q;
  red.global.add.u32 [w], z;
  @p bra quiet;
  { .param .b64 x; .param .b64 y; mov.u64 h, 64; st.param.b64 [x], h; call (y), malloc, (x); ld.param.b64 h, [y]; }
  st.u32 [h], i;
  and.b32 d, i, 31;
  setp.ne.u32 q, d, 0;
  @q bra mute;
  mov.u64 f, text;
  mov.u64 a, room;
  cvta.local.u64 a, a;
  st.local.b32 [room], c; st.local.b32 [room+4], i;
  { .param .b64 x, y; .param .b32 v; st.param.b64 [x], f; st.param.b64 [y], a; call (v), vprintf, (x, y); }
  bra quiet;
mute:
  { .param .b64 x; st.param.b64 [x], h; call free, (x); }
quiet:
  bar.sync 0;
  add.u32 i, i, 1;
  setp.lt.u32 q, i, n;
  @q bra round;
  ret;
}
`;

/** A launch of it: three blocks of one and a half warps. */
export function launch(rounds: number, options: LaunchOptions = {}) {
  const memory = new Memory({ limit: 64 << 20 });
  const image = imageOf(new Source("everything.ptx", everything)).value;
  const kernel = must(must(Module.place(image, memory)).kernel("k"));
  const out = memory.allocate({ name: "out", bytes: 1024, initialised: true })!;
  const printed: string[] = [];
  const args = [out, rounds];
  const print = (text: string) => void printed.push(text);
  const session = must(kernel.session({ grid: 3, block: 48, args, print, ...options }));
  return { session, memory, printed, out };
}

/** All of a launch's state, as one number: registers, flags, memory and what is known of it, where everybody stands. */
export function fingerprint(session: Session, memory: Memory): string {
  const { program } = session;
  const machine = new MachineView(session);
  const seen = createHash("sha256");
  const { data, shadow } = memory;
  for (const { start, end, kind, name } of memory.allocations.live) {
    seen.update(`${name} ${start} ${end}`);
    if (kind === "state") continue;
    memory.know(start, end - start);
    seen.update(data.u8.subarray(start, end)).update(shadow.u8.subarray(start, end));
  }
  const scopes = [program.registers, ...program.functions.map(({ registers }) => registers)];
  for (const { block, warp, live } of machine.warps())
    for (let lane = 0; lane < 32; lane++) {
      const thread = { block, warp, lane };
      if (!((live >>> lane) & 1)) continue;
      seen.update(`${machine.carry(thread)} ${machine.calls(thread).map(({ callee, from }) => `${callee} ${from}`)}`);
      for (const registers of scopes)
        seen.update(registers.map((each) => machine.value(thread, each)!.join()).join(" "));
    }
  seen.update(JSON.stringify([machine.warps(), machine.barriers(), session.findings.map(({ message }) => message)]));
  return seen.update(`${session.steps}`).digest("hex");
}
