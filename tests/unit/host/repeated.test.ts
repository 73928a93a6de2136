import { describe, expect, it } from "vitest";
import { type Buffer, Device, type Kernel, type LaunchOptions, must } from "../../../src/host/index.ts";
import { compiled } from "../../../src/interp/index.ts";
import type { Session } from "../../../src/interp/machine/session.ts";

/** Shared memory that only thread 0 writes, a guarded store, printf, a divergent loop, and a read of what was never written. */
const text = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 line[4] = {37, 117, 10, 0};
.visible .entry k(.param .u64 out, .param .u32 n)
{
  .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<3>;
  .shared .align 4 .b32 s[2];
  .local .align 8 .b32 l[2];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 st.shared.b32 [s], %r1;
  bar.sync 0;
  ld.shared.b32 %r3, [s];
  ld.shared.b32 %r4, [s+4];
again:
  add.u32 %r3, %r3, 1;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, 40;
  @%p2 bra again;
  add.u32 %r3, %r3, %r4;
  mov.u32 %r5, %ctaid.x;
  mov.u32 %r6, %tid.x;
  mad.lo.u32 %r5, %r5, 64, %r6;
  mul.wide.u32 %rd2, %r5, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r3;
  @!%p1 ret;
  st.local.b32 [l], %r3;
  mov.u64 %rd3, l;
  cvta.local.u64 %rd3, %rd3;
  {
    .param .b64 a; .param .b64 b; .param .b32 r;
    mov.u64 %rd2, line;
    st.param.b64 [a], %rd2; st.param.b64 [b], %rd3;
    call (r), vprintf, (a, b);
  }
  ret;
}
`;

const shape = { grid: [3, 1, 1], block: [64, 1, 1] } as const;

function world() {
  const device = new Device({ maxMemory: 2 ** 22 });
  const kernel = must(must(device.module(text)).kernel("k"));
  return { device, kernel, out: device.buffer(3 * 64 * 4) };
}

type Ask = (kernel: Kernel, options: LaunchOptions) => Session;
const repeated: Ask = (kernel, options) => must(kernel.repeated(options));
const anew: Ask = (kernel, options) => must(kernel.session(options));

/** What a launch leaves, runs in slices, and where its block's memory lay. */
function run(ask: Ask, { kernel, out }: ReturnType<typeof world>, n: number, more: LaunchOptions) {
  const options = { ...shape, readableRegisters: false, args: [out, n], ...more };
  const session = ask(kernel, options);
  const { shared, state } = session.state!.scheduler.slots[0]!;
  let stop = session.run({ budget: 20 });
  while (stop.reason === "budget") stop = session.run({ budget: 20 });
  const { steps, findings } = session;
  session.close();
  const words = out.toBits("u32");
  return { session, left: { stop, steps, findings: [...findings], words, at: [shared!.start, state.start] } };
}

describe("a launch that is repeated", () => {
  it("does what a new one does", () => {
    const [one, other] = [world(), world()];
    for (const n of [1, 2, 30, 4]) {
      const print = () => {};
      const { left } = run(repeated, one, n, { print });
      expect(left).toEqual(run(anew, other, n, { print }).left);
      expect(left.findings).toHaveLength(1);
    }
  });

  it("prints what it prints, each time", () => {
    const here = world();
    let printed = "";
    const print = (line: string): void => {
      printed += line;
    };
    for (const n of [1, 2]) run(repeated, here, n, { print });
    expect(printed).toBe("41\n41\n41\n42\n42\n42\n");
  });

  it("is the same session where only its arguments differ", () => {
    const here = world();
    const print = () => {};
    const { session } = run(repeated, here, 1, { print });
    expect(run(repeated, here, 2, { print }).session).toBe(session);
    expect(run(repeated, here, 2, { print, grid: [2, 1, 1] }).session).not.toBe(session);
    expect(run(repeated, here, 3, { print }).session).toBe(session);
    expect(run(repeated, here, 3, { print, sanitize: { mem: true, init: false } }).session).not.toBe(session);
  });

  it("lies where a new one would, and is a new one where that has changed", () => {
    const [one, other] = [world(), world()];
    const print = () => {};
    const first = run(repeated, one, 1, { print });
    run(anew, other, 1, { print });
    for (const { device } of [one, other]) device.buffer(10_000);
    const { session, left } = run(repeated, one, 2, { print });
    expect(session).not.toBe(first.session);
    expect(left).toEqual(run(anew, other, 2, { print }).left);
    expect(left.at).not.toEqual(first.left.at);
  });

  it("is a new one after a fault", () => {
    const here = world();
    const print = () => {};
    const bad = { print, args: [1n, 1] as unknown as NonNullable<LaunchOptions["args"]> };
    const first = run(repeated, here, 1, bad);
    expect(first.left.stop.reason).toBe("trap");
    expect(run(repeated, here, 1, { print }).session).not.toBe(first.session);
  });

  it("is what Kernel.launch does where registers are not readable, with results of its own", () => {
    const [{ kernel, out }, other] = [world(), world()];
    const print = () => {};
    const options = { ...shape, readableRegisters: false, print };
    const [first, second] = [1, 2].map((n) => must(kernel.launch({ ...options, args: [out, n] }))!);
    expect(second!.session).toBe(first!.session);
    for (const [at, launch] of [first!, second!].entries()) {
      const { left } = run(anew, other, at + 1, { print });
      expect([launch.stop, launch.steps, [...launch.findings]]).toEqual([left.stop, left.steps, left.findings]);
    }
    const readable = [1, 2].map((n) => must(kernel.launch({ ...shape, print, args: [out, n] }))!.session);
    expect(readable[0]).not.toBe(readable[1]);
  });

  it("is refused like a new one", () => {
    const here = world();
    const print = () => {};
    run(repeated, here, 1, { print });
    const asked = { ...shape, readableRegisters: false, args: [here.out], print };
    expect(here.kernel.repeated(asked)).toEqual(here.kernel.session(asked));
  });
});

it("a launch that multiplies matrices has room for that again, and nobody else's", () => {
  const device = new Device({ maxMemory: 2 ** 22 });
  const product = `.version 8.0 .target sm_80 .address_size 64
    .visible .entry k(.param .u64 out) {
      .reg .b64 %rd<3>; .reg .b32 %a, %t; .reg .f32 %d<4>;
      ld.param.u64 %rd1, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %rd2, %t, 16; add.u64 %rd1, %rd1, %rd2;
      mov.b32 %a, 0x3f803f80; mov.f32 %d0, 0f00000000; mov.f32 %d1, %d0; mov.f32 %d2, %d0; mov.f32 %d3, %d0;
      mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%d0, %d1, %d2, %d3}, {%a, %a, %a, %a}, {%a, %a}, {%d0, %d1, %d2, %d3};
      st.global.v4.f32 [%rd1], {%d0, %d1, %d2, %d3}; ret; }`;
  const kernel = must(must(device.module(product)).kernel("k"));
  const out = device.buffer(512);
  const options = { grid: 1, block: 32, args: [out], executor: compiled };
  const held: Buffer[] = [];
  for (let time = 0; time < 4; time++) {
    out.write(new Uint8Array(512));
    const session = must(kernel.repeated(options));
    expect(session.run().reason).toBe("exit");
    session.close();
    // 16 products of ones.
    expect(new Float32Array(out.read().buffer)).toEqual(new Float32Array(128).fill(16));
    for (const bytes of [512, 40_000, 64_000]) {
      const buffer = device.buffer(new Uint8Array(bytes).fill(0xab));
      held.push(buffer);
    }
    for (const buffer of held) expect(buffer.read().every((byte) => byte === 0xab)).toBe(true);
  }
});
