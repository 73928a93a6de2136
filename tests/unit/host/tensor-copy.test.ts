import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../src/index.ts";
import { checkMap } from "../../../src/interp/tensor-map/check-map.ts";
import { type Asked, checkWalk } from "../../../src/interp/tensor-map/check-walk.ts";
import type { Walk } from "../../../src/interp/tensor-map/geometry.ts";
import { encodeMap, type TensorMap } from "../../../src/interp/tensor-map/tensor-map.ts";
import { draws } from "../../share.ts";
import { movedBy } from "../interp/tensor-map/oracle.ts";
import { randomMap } from "../interp/tensor-map/random-map.ts";

/** Shared memory that a copy may reach, and global memory around a tensor. */
const TILE = 16 * 1024;
const TENSOR = 1 << 18;
const names = {
  tile: "tile",
  rows: "tile::gather4",
  im2col: "im2col",
  "im2col::w": "im2col::w",
  "im2col::w::128": "im2col::w::128",
};

/** Loads what the walk says to shared memory, or stores it, and copies shared memory to `out` before or from it after. */
function kernel(map: TensorMap, walk: Walk, direction: "load" | "store", bytes: number): string {
  const coordinates = walk.mode === "rows" ? [walk.column, ...walk.rows] : walk.coordinates;
  const place = `[%rd1, {${coordinates.join(", ")}}]`;
  const info =
    walk.mode === "im2col"
      ? `, {${walk.offsets.join(", ")}}`
      : "halo" in walk
        ? `, {${walk.halo}, ${walk.offset}}`
        : "";
  const dim = `${map.dims.length}d`;
  const mode = names[walk.mode];
  const storeMode = mode === "tile::gather4" ? "tile::scatter4" : mode === "im2col" ? "im2col_no_offs" : mode;
  const copy =
    direction === "load"
      ? `mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], ${bytes};
         cp.async.bulk.tensor.${dim}.shared::cta.global.${mode}.mbarrier::complete_tx::bytes [tile], ${place}, [bar]${info};
         W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W;`
      : `fence.proxy.async.shared::cta; cp.async.bulk.tensor.${dim}.global.shared::cta.${storeMode}.bulk_group ${place}, [tile];
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;`;
  const loop = (name: string, move: string): string => `mov.u32 %r1, 0; mov.u32 %r2, tile; mov.u64 %rd3, %rd2;
    ${name}: ${move} add.u32 %r1, %r1, 16; add.u32 %r2, %r2, 16; add.u64 %rd3, %rd3, 16; setp.lt.u32 %p1, %r1, ${TILE}; @%p1 bra ${name};`;
  const fill = loop(
    "F",
    "ld.global.v4.b32 {%r3, %r4, %r5, %r6}, [%rd3]; st.shared.v4.b32 [%r2], {%r3, %r4, %r5, %r6};",
  );
  const show = loop(
    "S",
    "ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%r2]; st.global.v4.b32 [%rd3], {%r3, %r4, %r5, %r6};",
  );
  // Only sm_107 scatters rows with negative numbers, which are left out.
  const header =
    direction === "store" && walk.mode === "rows" ? ".version 9.4 .target sm_107a" : ".version 8.8 .target sm_100a";
  return `${header} .address_size 64
    .shared .align 1024 .b8 tile[${TILE}]; .shared .align 8 .b64 bar;
    .entry k(.param .align 64 .b8 map[128], .param .u64 out) {
      .reg .b64 %rd<6>; .reg .b32 %r<9>; .reg .pred %p<3>;
      mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [out];
      mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta; ${fill} ${copy} ${direction === "load" ? show : ""} ret; }`;
}

/** Random sound copies, with the bytes that they move by the oracle. */
const copies = (direction: "load" | "store", from: number, count: number) =>
  Array.from({ length: count }, (_, seed) => randomMap(from + seed)).flatMap(({ map, walk: drawn }) => {
    const walk: Walk = direction === "store" && drawn.mode === "im2col" ? { ...drawn, offsets: [] } : drawn;
    const load = names[walk.mode] as Asked["mode"];
    const mode =
      direction === "load"
        ? load
        : load === "tile::gather4"
          ? "tile::scatter4"
          : load === "im2col"
            ? "im2col_no_offs"
            : load;
    const sound = checkMap(map).length === 0 && !("halo" in walk && direction === "store");
    if (!sound || checkWalk(map, { dim: map.dims.length, mode, direction, target: "sm_107a" }, walk) !== undefined)
      return [];
    // Conversions and slices that are filled up are tested by themselves.
    if (map.interleave !== "none" || /tf32|ftz/.test(map.element.name)) return [];
    const moved = movedBy(map, walk, 0);
    const reach = Math.max(...moved.map(({ shared }) => shared)) + 16;
    return reach <= TILE && moved.every(({ global = 0 }) => global < TENSOR - 0x2000) ? [{ map, walk, moved }] : [];
  });

function run(map: TensorMap, text: string, tile: Uint8Array, tensor: Uint8Array, launch: LaunchOptions) {
  const device = new Device({ maxMemory: 16 << 20 });
  const global = device.buffer(tensor);
  const out = device.buffer(tile);
  const bytes = encodeMap({ ...map, address: global.address });
  const { stop, findings } = must(
    must(must(device.module(text)).kernel("k")).launch({ ...launch, args: [bytes, out] }),
  );
  expect([
    stop.reason,
    stop.reason === "trap" ? stop.diagnostic.message : "",
    findings.map(({ message }) => message),
  ]).toEqual(["exit", "", []]);
  return { tile: out.read(), tensor: global.read() };
}

const bytesOf = (seed: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (Math.imul(at + seed, 0x9e37_79b1) >>> 13) & 0xff);
const settings: readonly LaunchOptions[] = [
  { async: { when: "late" } },
  { async: { when: "early" } },
  { async: { when: "random", seed: 3 } },
];

describe("a tensor copy", () => {
  const tile = bytesOf(1, TILE);
  const tensor = bytesOf(2, TENSOR);

  it("moves to shared memory what the oracle says, in every mode, type and swizzle", () => {
    const drawn = copies("load", 5000, draws(40, 200));
    expect(drawn.length).toBeGreaterThan(draws(6, 30));
    for (const [index, { map, walk, moved }] of drawn.entries()) {
      const expected = tile.slice();
      const { global: size } = map.element;
      const fill =
        map.fill === "nan"
          ? { 2: [0xf7, 0x7f], 4: [0xf7, 0xff, 0xff, 0x7f], 8: [0xf7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f] }[size]
          : undefined;
      for (const { shared, global } of moved)
        for (let at = 0; at < size; at++)
          expected[shared + at] = global === undefined ? (fill?.[at] ?? 0) : (tensor[global + at] ?? 0);
      const text = kernel(map, walk, "load", moved.length * size);
      const after = run(map, text, tile, tensor, settings[index % 3] ?? {});
      expect(Buffer.compare(after.tile, expected), `${text}\n${JSON.stringify({ ...map, address: 0 })}`).toBe(0);
    }
  });

  it("moves from shared memory what the oracle says, and nothing outside of the tensor", () => {
    const drawn = copies("store", 9000, draws(60, 300));
    expect(drawn.length).toBeGreaterThan(draws(4, 20));
    for (const [index, { map, walk, moved }] of drawn.entries()) {
      const expected = tensor.slice();
      const { global: size, name } = map.element;
      for (const { shared, global } of moved) {
        if (global === undefined) continue;
        if (name === "b6x16_p32")
          for (let bit = 0; bit < 96; bit++) {
            const from = ((tile[shared + Math.floor(bit / 6)] ?? 0) >> (bit % 6)) & 1;
            const to = global + (bit >> 3);
            expected[to] = ((expected[to] ?? 0) & ~(1 << (bit & 7))) | (from << (bit & 7));
          }
        else for (let at = 0; at < size; at++) expected[global + at] = tile[shared + at] ?? 0;
      }
      const after = run(map, kernel(map, walk, "store", 0), tile, tensor, settings[index % 3] ?? {});
      expect(Buffer.compare(after.tensor, expected), JSON.stringify({ ...map, address: 0, walk })).toBe(0);
    }
  });
});
