import { describe, expect, it } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { OWNER_WORDS } from "../../../../src/interp/compiled/running/owner-words.ts";
import { compiled } from "../../../../src/interp/index.ts";

/** What is found in a launch of two blocks of two warps, and whether the module has judged all of it. */
function launch(body: string) {
  const text = `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, l, g, x, y, a, s; .reg .b64 o, z, w; .reg .pred p;
  .shared .align 16 .b8 tile[4096];
  ld.param.b64 o, [out]; mov.u32 t, %tid.x; mov.u32 l, %laneid; mov.u32 s, tile;
  mov.u32 x, %ctaid.x; mad.lo.u32 g, x, 64, t; mov.b64 w, 7; mov.u32 y, 3;
  ${body}
  ret;
}`;
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const args = [device.buffer(new Uint8Array(4096))];
  const sanitize = { mem: true, init: false, race: true };
  const session = must(
    kernel.session({ grid: 2, block: 64, args, sanitize, executor: compiled, readableRegisters: false }),
  )!;
  expect(session.run()).toEqual({ reason: "exit" });
  const isJudged = session.state!.context.memory.allocations.live.some(({ name }) => name === OWNER_WORDS);
  session.close();
  return { isJudged, found: session.findings.map(({ code }) => code) };
}

const judged = { isJudged: true, found: [] };

/** Stores of the types that a line names make owner words of so many bytes. */
const grains = [
  [4, ""],
  [2, "st.global.u16 [o+2048], y;"],
  [1, "st.global.u8 [o+2048], y;"],
].map(([bytes, store]) => [bytes, `setp.eq.u32 p, g, 0; @p ${store || "bra on; on:"}`] as const);

const types = [
  ["u8", 1, "y"],
  ["u16", 2, "y"],
  ["u32", 4, "y"],
  ["u64", 8, "w"],
  ["v2.u32", 8, "{y, y}"],
  ["v4.u8", 4, "{y, y, y, y}"],
  ["v4.u32", 16, "{y, y, y, y}"],
] as const;

const global = (of: string, size: number, more = 0): string =>
  `mul.wide.u32 z, ${of}, ${size}; add.s64 z, z, o; add.s64 z, z, ${more};`;

describe.each(grains)("with owner words of %i bytes", (_, more) => {
  it.each(types)("threads that store %s side by side, and load that again, do not race", (type, size, data) => {
    const all = `${global("g", size)} st.global.${type} [z], ${data}; ld.global.${type} ${data}, [z];`;
    // In all lanes, and in those of a branch; then once more, from a place that is not the first of a page.
    const some = `setp.lt.u32 p, l, 19; @p ld.global.${type} ${data}, [z]; @p st.global.${type} [z], ${data};`;
    const shared = `mad.lo.u32 a, t, ${size}, s; st.shared.${type} [a], ${data}; ld.shared.${type} ${data}, [a];`;
    const after = `bar.sync 0; xor.b32 a, t, 37; mad.lo.u32 a, a, ${size}, s; ld.shared.${type} ${data}, [a];`;
    expect(launch(`${more} ${all} ${some} ${shared} ${after} bar.sync 0; ${shared}`)).toEqual(judged);
    const loads = ["g", "t", "g"].map((of) => `${global(of, size)} ld.global.${type} ${data}, [z];`).join(" ");
    expect(launch(`${more} ${loads}`)).toEqual(judged);
  });

  it.each(types)("a load of what another lane or block has stored as %s is a race", (type, size, data) => {
    const stored = `${global("g", size)} st.global.${type} [z], ${data};`;
    for (const other of [4, 9, 37, 69]) {
      const read = `setp.eq.u32 p, g, 5; ${global(String(other), size, size - 1)} @p ld.global.u8 y, [z];`;
      const found = { other, ...launch(`${more} ${stored} ${read}`) };
      expect(found).toEqual({ other, isJudged: false, found: ["PTX4002"] });
    }
  });
});

it("lanes that store to one byte, or to bytes of one word that one of them loads, race", () => {
  const half = `shr.u32 a, g, 1; ${global("a", 1)} st.global.u8 [z], g;`;
  expect(launch(half)).toEqual({ isJudged: false, found: ["PTX4002"] });
  const word = `${global("g", 1)} st.global.u8 [z], g; and.b32 a, g, -4; ${global("a", 1)} ld.global.u32 y, [z];`;
  expect(launch(word)).toEqual({ isJudged: false, found: ["PTX4002"] });
  const apart = `${global("g", 1)} st.global.u8 [z], g; bar.sync 0; and.b32 a, g, -4; ${global("a", 1)} ld.global.u32 y, [z];`;
  expect(launch(apart)).toEqual(judged);
});
