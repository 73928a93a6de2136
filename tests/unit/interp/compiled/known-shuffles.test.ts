import { expect, test } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { compiled, type Executor, javascript } from "../../../../src/interp/index.ts";

/** Amounts and bounds that make lanes read one row of four, two or three of them, themselves, or one lane of all. */
const amounts = [1, 6, 9, 31];
const bounds = [31, 8, 0x1c1f, 0x0b15];

const shuffles = ["up", "down", "bfly", "idx"].flatMap((mode) =>
  amounts.flatMap((amount) => bounds.map((bound) => [mode, amount, bound] as const)),
);

type Shuffle = readonly [mode: string, amount: number, bound: number];

/** Where the last two operands are: in the text, in registers that one instruction alone writes, or in others. */
type Where = "text" | "moved" | "read";

/**
 * All of them, one after the other, each with a word of its own. The membermask has all lanes that take part, or those of `m`, in
 * PTX, of each lane's own.
 */
const program = (
  where: Where,
  some: readonly Shuffle[] = shuffles,
  m = "activemask.b32 m;",
): string => `.version 8.0 .target sm_80 .address_size 64
.entry k(.param .b64 out, .param .b32 limit)
{
  .reg .b32 t, a, d, r, m, n, c, r<${some.length}>, c<${some.length}>; .reg .b64 o, w; .reg .pred p, q;
  ld.param.b64 o, [out]; ld.param.b32 n, [limit];
  mov.u32 t, %tid.x; mad.lo.u32 a, t, 2654435761, 12345; mul.wide.u32 w, t, ${8 * some.length}; add.s64 o, o, w;
  setp.ge.u32 q, t, n; @q bra END;
  ${m}
  ${some
    .map(([mode, amount, bound], at) => {
      const [b, c] = { text: [`${amount}`, `${bound}`], moved: [`r${at}`, `c${at}`], read: ["r", "c"] }[where];
      return `${where === "text" ? "" : `mov.u32 ${b}, ${amount}; mov.u32 ${c}, ${bound};`} shfl.sync.${mode}.b32 d|p, a, ${b}, ${c}, m;
        st.u32 [o+${8 * at}], d; selp.u32 d, 1, 0, p; st.u32 [o+${8 * at + 4}], d;`;
    })
    .join("\n")}
  END: ret;
}`;

function results(text: string, block: number, limit: number, executor: Executor, count = shuffles.length): number[] {
  const device = new Device();
  const out = device.buffer(new Uint8Array(8 * count * block));
  const kernel = must(must(device.module(text)).kernel("k"));
  expect(must(kernel.launch({ block, args: [out, limit], executor }))!.stop.reason).toBe("exit");
  return [...new Uint32Array(out.read().buffer)];
}

/**
 * What a shuffle gives by the manual's own words (PTX ISA, shfl.sync): j from the mode, the bound from c, and the lane
 * itself where j is beyond; undefined where it reads a lane that does not take part.
 */
function given(lane: number, [mode, amount, c]: (typeof shuffles)[0], limit: number): [number, number] | undefined {
  const segment = (c >> 8) & 31;
  const bound = (lane & segment) | (c & 31 & ~segment);
  const least = lane & segment;
  const j = {
    up: lane - amount,
    down: lane + amount,
    bfly: lane ^ amount,
    idx: least | (amount & ~segment),
  }[mode as "up"];
  const inRange = mode === "up" ? j >= bound : j <= bound;
  const from = inRange ? j : lane;
  return from < limit ? [(Math.imul(from, 2654435761) + 12345) >>> 0, inRange ? 1 : 0] : undefined;
}

test.each([
  [32, 32],
  [32, 19],
  [20, 20],
])("every shuffle by what is known and by what is not: %i threads, %i of them together", (block, limit) => {
  const known = results(program("text"), block, limit, compiled);
  for (const where of ["moved", "read"] as const)
    expect(results(program(where), block, limit, compiled)).toEqual(known);
  if (block < 32) expect(results(program("text"), block, limit, javascript)).toEqual(known);
  for (let lane = 0; lane < limit; lane++)
    for (const [at, shuffle] of shuffles.entries()) {
      const want = given(lane, shuffle, limit);
      const found = known.slice(2 * (lane * shuffles.length + at)).slice(0, 2);
      if (want !== undefined && want.join() !== found.join())
        expect([lane, ...shuffle, ...found]).toEqual([...shuffle, ...want]);
    }
});

/** Cooperative groups give each tile of a warp a membermask of its own. */
const tile = (width: number): string =>
  `mov.u32 m, %laneid; and.b32 m, m, ${32 - width}; mov.u32 n, ${2 ** width - 1}; shl.b32 m, n, m;`;

test.each([2, 4, 8, 16])(
  "shuffles within tiles of %i lanes, each with its own membermask, and beyond them",
  (width) => {
    const bound = ((32 - width) << 8) | 31;
    const wider = ((32 - 2 * width) << 8) | 31;
    const within = [1, width - 1].flatMap((amount) =>
      ["up", "down", "bfly", "idx"].map((mode) => [mode, amount, mode === "up" ? bound & ~31 : bound] as const),
    );
    for (const beyond of [false, true]) {
      // What a lane of another tile has is undefined: both executors give the same.
      const some = beyond ? ([["bfly", width, bound], ["down", 1, wider]] as const) : within; // biome-ignore format: one thought
      const expected = results(program("moved", some, tile(width)), 32, 32, javascript, some.length);
      expect(results(program("moved", some, tile(width)), 32, 32, compiled, some.length)).toEqual(expected);
      if (beyond) continue;
      for (let lane = 0; lane < 32; lane++)
        for (const [at, shuffle] of some.entries())
          expect(expected.slice(2 * (lane * some.length + at)).slice(0, 2)).toEqual(given(lane, shuffle, 32));
    }
  },
);
