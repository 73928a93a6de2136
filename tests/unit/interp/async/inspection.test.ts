import { describe, expect, it } from "vitest";
import { Device, must } from "../../../../src/index.ts";

const declared = ".shared .align 128 .b8 tile[64]; .shared .align 8 .b64 bar;";
const report = "mbarrier::complete_tx::bytes.mbarrier::report";

/** What a copy of 64 bytes reports: -1, or the value of the report. */
function reported(copy: string, data: Uint8Array, when: "early" | "late", dims?: readonly number[]): number {
  const device = new Device();
  const source = device.buffer(data);
  const out = device.buffer(new Uint32Array(1));
  const map = dims && device.tensorMap({ type: "u8", tensor: source, dims, box: [64] });
  const text = `.version 9.4 .target sm_107a .address_size 64 ${declared}
.entry k(.param .u64 source, .param .u64 out${map === undefined ? "" : ", .param .align 64 .b8 map[128]"}) {
  .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .pred %p, %q; .reg .b8 %v;
  ld.param.u64 %rd1, [source]; ld.param.u64 %rd2, [out]; ${map === undefined ? "" : "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;"}
  mbarrier.init.layout::v1.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
  ${copy}
  W: mbarrier.try_wait.parity.phase_type::primary.shared::cta.b64 %p|%q, %v, [bar], 0; @!%p bra W;
  cvt.u32.u8 %r1, %v; selp.b32 %r2, %r1, -1, %q; st.global.u32 [%rd2], %r2; ret; }`;
  const { stop, findings } = must(
    must(must(device.module(text)).kernel("k")).launch({ args: [source, out, ...(map === undefined ? [] : [map])], async: { when } }),
  ); // biome-ignore format: one thought
  expect([stop.reason, ...findings.map(({ message }) => message)]).toEqual(["exit"]);
  return new Int32Array(out.read().buffer)[0]!;
}

const bulk = (word: string): string => `cp.async.bulk.shared::cta.global.${report}::${word} [tile], [%rd1], 64, [bar];`;
/** 64 bytes of 0x11, but for some. */
const data = (...bytes: readonly (readonly [at: number, value: number])[]): Uint8Array => {
  const all = new Uint8Array(64).fill(0x11);
  for (const [at, value] of bytes) all[at] = value;
  return all;
};

describe("a copy that inspects its data", () => {
  it.each([
    // The last of the four bytes of -0.0, with and without the others.
    ["validity::per_16bytes::80000000", data([32, 0], [33, 0], [34, 0], [35, 0x80]), true],
    ["validity::per_16bytes::80000000", data([32, 0], [33, 0], [34, 1], [35, 0x80]), false],
    ["validity::per_16bytes::80000000", data([36, 0], [37, 0], [38, 0], [39, 0x80]), false],
    ["validity::per_16bytes::8000", data([48, 0], [49, 0x80]), true],
    ["validity::per_16bytes::8000", data([48, 0x80], [49, 0]), false],
    ["validity::per_16bytes::80", data([16, 0x80]), true],
    ["validity::per_16bytes::80", data([17, 0x80]), false],
    ["validity::per_16bytes::8", data([0, 0xf8]), true],
    ["validity::per_16bytes::8", data([0, 0x80]), false],
    ["validity::per_element::ff", data([63, 0xff]), true],
    ["validity::per_element::ff", data([62, 0xf0], [63, 0x0f]), false],
    ["disabled", data([0, 0xff]), false],
  ])("%s of %o", (word, bytes, found) => {
    for (const when of ["early", "late"] as const) expect(reported(bulk(word), bytes, when)).toBe(found ? 0 : -1);
  });

  it("looks at what a tensor copy takes of a tensor, and at nothing that it fills in", () => {
    const copy = (first: number, word: string): string =>
      `cp.async.bulk.tensor.1d.shared::cta.global.tile.${report}::validity::${word} [tile], [%rd1, {${first}}], [bar];`;
    // The tensor is the first 48 of 64 bytes; from byte 40 on the copy has 8 of them.
    const found = (first: number, word: string, ...bytes: readonly (readonly [number, number])[]): number =>
      reported(copy(first, word), data(...bytes), "late", [48]);
    expect(found(0, "per_element::ff", [47, 0xff])).toBe(0);
    expect(found(0, "per_element::ff", [48, 0xff])).toBe(-1);
    expect(found(40, "per_element::ff", [39, 0xff])).toBe(-1);
    expect(found(40, "per_16bytes::80", [40, 0x80])).toBe(0);
    expect(found(40, "per_16bytes::80", [32, 0x80])).toBe(-1);
  });
});
