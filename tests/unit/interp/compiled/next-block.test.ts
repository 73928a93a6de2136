import { expect, it } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import { Liveness } from "../../../../src/interp/contract/liveness.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";

/** Each thread stores what its registers hold that it has not written, then writes them; each block comes where the last one was. */
const text = `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 out)
{
  .reg .b32 block, n, t, i, sum, some, x; .reg .b64 to, far, wide; .reg .pred odd, once, was;
  .shared .b32 s[64];
  ld.param.u64 to, [out];
  mov.u32 block, %ctaid.x; mov.u32 n, %ntid.x; mov.u32 t, %tid.x;
  mad.lo.u32 i, block, n, t;
  mul.wide.u32 far, i, 24;
  add.u64 to, to, far;
  // Only some lanes write this one before all read it.
  setp.lt.u32 odd, t, 7;
  @odd add.u32 some, t, 1000;
  add.u32 sum, sum, i;
  add.u64 wide, wide, far;
  mov.u32 x, 0;
  @once mov.u32 x, 1;
  setp.ge.u32 once, t, 0;
  st.global.u32 [to], sum;
  st.global.u32 [to+4], some;
  st.global.u64 [to+8], wide;
  st.global.u32 [to+16], x;
  st.global.u32 [to+20], block;
  add.u32 some, some, 1;
  bar.sync 0;
  ret;
}`;

it.each([
  ["javascript", javascript],
  ["compiled", compiled],
] as const)("a block finds nothing of the one before it in its registers (%s)", (_, executor) => {
  for (const threads of [64, 41]) {
    const device = new Device();
    const blocks = 9;
    const out = device.buffer(new Uint32Array(6 * threads * blocks));
    const kernel = must(must(device.module({ name: "k", text })).kernel("k"));
    // A longer launch would look at it by itself.
    Liveness.of(kernel.program);
    const { stop } = must(
      kernel.launch({ grid: blocks, block: threads, args: [out], executor, readableRegisters: false }),
    );
    expect(stop.reason).toBe("exit");
    const words = new Uint32Array(out.read().slice().buffer);
    for (let i = 0; i < threads * blocks; i++) {
      const thread = i % threads;
      const expected = [i, thread < 7 ? thread + 1000 : 0, 24 * i, 0, 0, Math.floor(i / threads)];
      expect([...words.subarray(6 * i, 6 * i + 6)]).toEqual(expected);
    }
  }
});

it("registers that a launch gives are there in each block", () => {
  for (const executor of [javascript, compiled]) {
    const device = new Device();
    const out = device.buffer(new Uint32Array(6 * 32 * 4));
    const kernel = must(must(device.module({ name: "k", text })).kernel("k"));
    // A longer launch would look at it by itself.
    Liveness.of(kernel.program);
    const registers = new Map([
      ["sum", 5n],
      ["once", 1n],
    ]);
    must(kernel.launch({ grid: 4, block: 32, args: [out], registers, executor, readableRegisters: false }));
    const words = new Uint32Array(out.read().slice().buffer);
    for (let i = 0; i < 128; i++) expect([words[6 * i], words[6 * i + 4]]).toEqual([5 + i, 1]);
  }
});

it("a launch of many blocks looks at the program by itself", () => {
  const device = new Device();
  const blocks = 400;
  const out = device.buffer(new Uint32Array(6 * 64 * blocks));
  const kernel = must(must(device.module({ name: "many", text: `${text}\n// another one` })).kernel("k"));
  expect(Liveness.has(kernel.program)).toBe(false);
  must(kernel.launch({ grid: blocks, block: 64, args: [out], executor: javascript, readableRegisters: false }));
  expect(Liveness.has(kernel.program)).toBe(true);
  const words = new Uint32Array(out.read().slice().buffer);
  for (let i = 0; i < 64 * blocks; i += 61) expect([words[6 * i], words[6 * i + 5]]).toEqual([i, i >> 6]);
});
