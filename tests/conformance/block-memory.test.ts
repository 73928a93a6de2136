import { expect, test } from "vitest";
import { Device, must } from "../../src/index.ts";
import { executors } from "../../src/interp/create-session.ts";

// Global memory that each block has for itself (PTX ISA 11.4.10, 10.34, 10.35).

const module = (body: string, least = 1500): string => `.version 9.4
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) .minperctamemory ${least}
{
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, %perctamemoryoffset;
  mov.u32 %r1, %perctamemorysize;
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mov.u32 %r5, %ntid.x;
  mad.lo.u32 %r4, %r2, %r5, %r3; mul.wide.u32 %rd3, %r4, 4; add.u64 %rd1, %rd1, %rd3;
  mul.wide.u32 %rd3, %r3, 4; add.u64 %rd3, %rd2, %rd3;
  ${body}
  ret;
}`;
const own = "st.global.u32 [%rd3], %r4; bar.sync 0; xor.b64 %rd3, %rd3, 4; ld.global.u32 %r4, [%rd3]; add.u32 %r4, %r4, %r1; st.global.u32 [%rd1], %r4;"; // biome-ignore format: a body

test.each([...executors.entries()])("each block has a place of its own, by %s", (_, executor) => {
  for (const schedule of [undefined, { seed: 1 }]) {
    const device = new Device();
    const out = device.buffer(new Uint32Array(7 * 64));
    const kernel = must(must(device.module(module(own))).kernel("k"));
    const order = schedule === undefined ? {} : { schedule };
    const { stop, findings } = must(kernel.launch({ grid: 7, block: 64, args: [out], executor, ...order }))!;
    expect([stop.reason, findings]).toEqual(["exit", []]);
    // What the other thread of the pair has stored, plus the size, a multiple of 1024.
    const wanted = Array.from({ length: 7 * 64 }, (_, at) => (at ^ 1) + 2048);
    expect([...new Uint32Array(out.read().slice().buffer)]).toEqual(wanted);
    // The next launch has other memory: the last one's is free.
    expect(must(kernel.launch({ grid: 7, block: 64, args: [out], executor }))!.stop.reason).toBe("exit");
  }
});

test.each([
  ["what nobody has stored there", "ld.global.u32 %r4, [%rd3]; st.global.u32 [%rd1], %r4;", "PTX4001"],
  ["what lies behind all of it", "add.u64 %rd2, %rd2, 6144; st.global.u32 [%rd2], 1;", "PTX3002"],
])("%s is found", (_, body, code) => {
  const device = new Device();
  const out = device.buffer(new Uint32Array(3));
  const kernel = must(must(device.module(module(body))).kernel("k"));
  const { stop, findings } = must(kernel.launch({ grid: 3, args: [out] }))!;
  const said = [...findings, ...(stop.reason === "exit" || !("diagnostic" in stop) ? [] : [stop.diagnostic])];
  expect(said.map((each) => each?.code)).toContain(code);
});

test("a grid whose blocks do not fit does not begin", () => {
  const device = new Device({ maxMemory: 1 << 22 });
  const out = device.buffer(new Uint32Array(8));
  const kernel = must(must(device.module(module("", 1 << 20))).kernel("k"));
  const { stop } = must(kernel.launch({ grid: 8, args: [out] }))!;
  expect(stop).toMatchObject({ reason: "trap", diagnostic: { code: "PTX6002" } });
});
