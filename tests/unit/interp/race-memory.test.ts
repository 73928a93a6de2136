import { expect, test } from "vitest";
import { Device, must } from "../../../src/index.ts";
import { RaceDetector } from "../../../src/interp/tools/race/race.ts";

/** Words of each buffer. */
const WORDS = 1 << 14;

/** Each thread stores the word behind that of its number to one buffer, `times` over, and loads as many of the other. */
const text = (times: number): string => `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 in, .param .b64 out, .param .b32 behind)
{
  .reg .b32 i, b, n, d; .reg .b64 x, y, v;
  ld.param.b64 x, [in]; ld.param.b64 y, [out]; ld.param.b32 n, [behind];
  mov.u32 i, %tid.x; mov.u32 b, %ctaid.x; mad.lo.u32 i, b, 256, i; add.u32 i, i, n;
  mul.wide.u32 v, i, 4; add.s64 x, x, v; add.s64 y, y, v;
  ${"ld.global.b32 d, [x]; st.global.b32 [y], d; ld.global.b32 d, [y];".repeat(times)}
  ret;
}`;

/** The bytes of all typed arrays that can be reached. */
function bytesOf(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== "object" || value === null || seen.has(value)) return 0;
  seen.add(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const parts = value instanceof Map ? [...value].flat() : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + bytesOf(part, seen), 0);
}

/** Bytes that the detector keeps for each word that is stored to or loaded. */
function bytesPerWord(behind: number): number {
  const device = new Device();
  const kernel = must(must(device.module(text(2))).kernel("k"));
  const args = [device.buffer(new Uint32Array(WORDS + 32)), device.buffer(new Uint32Array(WORDS + 32)), behind];
  const [grid, block] = [
    [WORDS / 256, 1, 1],
    [256, 1, 1],
  ] as const;
  const session = must(kernel.session({ grid, block, args }))!;
  const found: unknown[] = [];
  const detector = new RaceDetector({
    program: kernel.program,
    grid,
    block,
    cluster: undefined,
    limit: 1 << 30,
    rangeAt: (at) => session.state!.context.memory.allocations.find(at),
    report: (finding) => found.push(finding) > 0,
  });
  session.observe(detector);
  expect(session.run().reason).toBe("exit");
  const image = detector.save();
  session.close();
  expect(found).toEqual([]);
  const { packed, words } = image as unknown as {
    readonly packed: { readonly shadow: object };
    readonly words: Map<number, object>;
  };
  expect(words.size).toBe(0);
  return bytesOf(packed.shadow) / (2 * WORDS);
}

test("the race detector keeps few bytes for a word", () => {
  // Warps access lines: 32 bytes for a line, and where it is.
  expect(bytesPerWord(0)).toBeLessThan(3);
  // Each word by itself.
  expect(bytesPerWord(1)).toBeGreaterThan(32);
  expect(bytesPerWord(1)).toBeLessThan(64);
});
