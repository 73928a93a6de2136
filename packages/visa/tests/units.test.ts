import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { share } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { archived, besides } from "./archive.ts";

/*
 * Kernels of `tests/data/visa/units`, by two compilers: images through samplers and as typed surfaces, products of matrices,
 * blocks of surfaces, variables of the program. Each is launched by the names of its source with all checks on.
 */

const world = new World();
afterAll(() => world.remove());

interface Case {
  readonly kernel: string;
  readonly grid?: string;
  readonly block: string;
  /** Arguments as the command line spells them; a list is a buffer of its numbers. */
  readonly args: Readonly<Record<string, string | { readonly type: string; readonly values: readonly number[] }>>;
  readonly gives: Readonly<Record<string, readonly number[]>>;
}

const list = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const sum = (count: number, of: (at: number) => number): number => list(count, of).reduce((all, each) => all + each, 0);
/** Small whole numbers, exact in every format. */
const whole = (at: number, salt: number): number => (((at * 7 + salt) * 13) % 9) - 4;

/** A row of sub-group `width` wide: `c = a * b + c`, whose elements lie in registers as the extension says. */
function product(kernel: string, width: number, depth: number, type: string, sums: string): Case {
  const rows = 8;
  const a = list(rows * depth, (at) => whole(at, 1));
  const b = list(depth * width, (at) => whole(at, 2));
  const c = list(rows * width, (at) => whole(at, 3));
  const expected = list(rows * width, (at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    return c[at]! + sum(depth, (k) => a[row * depth + k]! * b[k * width + column]!);
  });
  // Work-item i has element i of each row of a and c, as many as fit into one; of b the column i, depth by depth.
  const perItem = depth / width;
  const ofItems = (values: readonly number[], across: number, each: number): number[] =>
    list(width, (item) =>
      list(values.length / across, (row) => list(each, (k) => values[row * across + item * each + k]!)).flat(),
    ).flat();
  const columns = list(width, (item) => list(depth, (k) => b[k * width + item]!)).flat();
  return {
    kernel,
    block: `${width}`,
    args: {
      a: { type, values: ofItems(a, depth, perItem) },
      b: { type, values: columns },
      c: { type: sums, values: ofItems(c, width, 1) },
    },
    gives: { c: ofItems(expected, width, 1) },
  };
}

const texel = (x: number, y: number): number => 8 * Math.min(Math.max(y, 0), 3) + Math.min(Math.max(x, 0), 7);

const images: readonly Case[] = [
  {
    kernel: "image_twice",
    block: "8,4",
    args: { from: "image:u8x4:8x4:iota:read=normalized", to: "surface:u8x4:8x4:read=normalized" },
    gives: { to: list(128, (at) => 2 * at) },
  },
  {
    kernel: "image_filter",
    block: "8,4",
    args: { from: "image:f32:8x4:iota", s: "sampler:filter=linear", out: "f32x32", w: "8" },
    gives: {
      out: list(32, (at) => {
        const [x, y] = [at % 8, Math.floor(at / 8)];
        // A quarter of a texel below the centre, then between four texels that repeat.
        const first = 0.25 * texel(x, y - 1) + 0.75 * texel(x, y);
        const around = (dx: number, dy: number): number => texel((x + dx + 8) % 8, (y + dy + 4) % 4);
        return first + (around(-1, -1) + around(0, -1) + around(-1, 0) + around(0, 0)) / 4;
      }),
    },
  },
  {
    kernel: "image_sizes",
    block: "1",
    args: { a: "image:f32:8x4:iota", b: "image:u8:3x4x5", c: "image:u8:3x4x6:a2d", out: "s32x6" },
    // CL_FLOAT and CL_R.
    gives: { out: [8, 4, 5, 6, 0x10de, 0x10b0] },
  },
  {
    kernel: "image_integers",
    block: "8,2",
    args: {
      a: "image:u32x4:8x2:iota",
      to: "surface:u32x4:8x2",
      b: "image:s32:16:iota",
      c: "image:s32x4:8x2x3:iota",
      d: "image:s32x4:8x2x4:iota:a2d",
      out: "s32x64",
    },
    gives: {
      to: list(64, (at) => at + (Math.floor(at / 4) % 8)),
      // A texel of one channel is x, 0, 0, 1; in the others the second slice and the second layer begin at 64.
      out: list(64, (at) => 2 * (64 + at) + ([Math.floor(at / 4) % 8, 0, 0, 1][at % 4] ?? 0)),
    },
  },
  {
    kernel: "image_update",
    block: "8,2",
    args: { a: "surface:f32x4:8x2:iota" },
    gives: { a: list(64, (at) => at + 1) },
  },
];

/** Of sub-groups of 8 or 16. */
const products = (width: number): readonly Case[] => [
  product("matrix_s8", width, 32, "s8", "s32"),
  product("matrix_hf", width, 16, "f16", "f32"),
  product("matrix_bf", width, 16, "bf16", "f32"),
];

const tiles: Case = (() => {
  const [m, n, k] = [12, 32, 32];
  const a = list(m * k, (at) => whole(at, 4));
  const b = list(k * n, (at) => whole(at, 5));
  return {
    kernel: "matrix_tiles",
    grid: "2,2",
    block: "16",
    args: {
      a: { type: "f16", values: a },
      b: { type: "f16", values: b },
      c: `f32x${m * n}`,
      m: `${m}`,
      n: `${n}`,
      k: `${k}`,
    },
    gives: {
      c: list(m * n, (at) => sum(k, (j) => a[Math.floor(at / n) * k + j]! * b[j * n + (at % n)]!)),
    },
  };
})();

/** Elements of 4 bits, four in a word of a row of a and eight in a dword of a column of b. */
const nibbles: Case = (() => {
  const a = list(8 * 64, (at) => whole(at, 6));
  const b = list(64 * 16, (at) => whole(at, 7));
  const packed = (values: readonly number[]): number =>
    values.reduce((all, value, at) => all + (value & 15) * 2 ** (4 * at), 0);
  return {
    kernel: "matrix_s4",
    block: "16",
    args: {
      a: {
        type: "u16",
        values: list(128, (at) => packed(list(4, (j) => a[64 * (at % 8) + 4 * Math.floor(at / 8) + j]!))),
      },
      b: {
        type: "u32",
        values: list(128, (at) => packed(list(8, (j) => b[(8 * (at % 8) + j) * 16 + Math.floor(at / 8)]!))),
      },
      c: { type: "s32", values: list(128, (at) => at) },
    },
    gives: {
      c: list(128, (at) => at + sum(64, (k) => a[64 * (at % 8) + k]! * b[16 * k + Math.floor(at / 8)]!)),
    },
  };
})();

/** A register has two rows of a. */
const tf32: Case = (() => {
  const a = list(64, (at) => whole(at, 8));
  const b = list(128, (at) => whole(at, 9));
  return {
    kernel: "matrix_tf32",
    block: "16",
    args: {
      a: { type: "f32", values: list(64, (at) => a[16 * (at % 4) + Math.floor(at / 4)]!) },
      b: { type: "f32", values: list(128, (at) => b[16 * (at % 8) + Math.floor(at / 8)]!) },
      c: { type: "f32", values: list(128, (at) => at) },
    },
    gives: {
      c: list(128, (at) => at + sum(8, (k) => a[8 * (at % 8) + k]! * b[16 * k + Math.floor(at / 8)]!)),
    },
  };
})();

const sixteen: readonly Case[] = [
  ...products(16),
  nibbles,
  tf32,
  product("matrix_half_sums", 16, 16, "f16", "f16"),
  tiles,
  {
    kernel: "block_transposed",
    grid: "3,2",
    block: "16",
    args: { from: { type: "u32", values: list(20 * 24, (at) => at) }, to: "u32x480", w: "20", h: "24" },
    gives: { to: list(480, (at) => 20 * (at % 24) + Math.floor(at / 24)) },
  },
];

const steps = [1, 10, 100, 1000];
/** Variables of the program, of which the source sets one: what the other holds is 0 at first. */
const variables: Case = {
  kernel: "variables",
  block: "64",
  args: { out: "s32x64" },
  gives: { out: list(64, (at) => 1 + sum(4, (k) => steps[(63 - at + k) & 3]! * ((63 - at) & 7))) },
};

const casesOf = (device: string): readonly Case[] => [
  variables,
  ...images,
  ...(device.endsWith("dg2") ? products(8) : sixteen),
];

async function buffersAfter({ kernel, grid = "1", block, args }: Case, device: string, names: readonly string[]) {
  for (const [end, bytes] of besides(device, kernel)) world.write(`${kernel}.${end}`, bytes);
  const words = Object.entries(args).flatMap(([name, value]) => [
    "-a",
    `${name}=${typeof value === "string" ? value : `${value.type}x${value.values.length}:${value.values.join(",")}`}`,
  ]);
  const dumps = names.flatMap((name) => ["--dump", `${name}=@${name}.npy`]);
  const launch = ["run", `${kernel}.visaasm`, "--grid", grid, "--block", block, "--sanitize", "mem,init,sync,race"];
  const { out, err, exit } = await world.ptxrun([...launch, ...words, ...dumps]);
  expect([out, err, exit]).toEqual(["", "", 0]);
}

/** The numbers of a `.npy` that a run wrote. */
function numbersIn(name: string): number[] {
  const bytes = readFileSync(join(world.folder, `${name}.npy`));
  const start = 10 + bytes.readUInt16LE(8);
  const [, type = ""] = /'descr': '[<|](\w+)'/.exec(bytes.toString("latin1", 0, start)) ?? [];
  const data = Uint8Array.from(bytes.subarray(start)).buffer;
  const of = { f4: Float32Array, u1: Uint8Array, u4: Uint32Array, i4: Int32Array }[type];
  if (of !== undefined) return [...new of(data)];
  // Halves that are whole numbers.
  return [...new Uint16Array(data)].map((bits) =>
    bits === 0 ? 0 : (bits & 0x8000 ? -1 : 1) * (1 + (bits & 1023) / 1024) * 2 ** (((bits >> 10) & 31) - 15),
  );
}

describe.each(archived)("images and matrices on %s", (device) => {
  const own = casesOf(device).filter(({ kernel }) => besides(device, kernel).length > 0);

  it("are there, but for what the device or its compiler has not", () => {
    const has = { "igc1/dg2": 6, "igc1/pvc": 0, "igc2/dg2": 9, "igc2/mtl": 6, "igc2/pvc": 9 }[device] ?? 14;
    expect(own).toHaveLength(has);
  });

  it.each(share(own, 6))("$kernel", async (each) => {
    await buffersAfter(each, device, Object.keys(each.gives));
    for (const [name, wanted] of Object.entries(each.gives)) expect(numbersIn(name), name).toEqual(wanted);
  });
});
