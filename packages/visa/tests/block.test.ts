import { describe, expect, it } from "vitest";
import { type Buffer, Device } from "../../../src/host/index.ts";
import { platformNamed } from "../src/resolve/platform.ts";

const SURFACE = { width: 96, height: 20, pitch: 128 };

/** Runs a kernel of one thread on a surface of bytes that are their own places, and gives it and what the lines stored. */
function run(lines: string, grf: 32 | 64, [x, y]: readonly [number, number]) {
  const device = new Device();
  const size = ["SW", "SH", "SP", "X", "Y"].map(
    (name, at) => `.decl ${name} v_type=G type=d num_elts=1
.input ${name} offset=${grf + 16 + 4 * at} size=4`,
  );
  const text = `.version 4.2
.kernel "k"
.decl D v_type=G type=ud num_elts=${1024} align=GRF
.decl B v_type=G type=uq num_elts=1
.decl O v_type=G type=uq num_elts=1
.input B offset=${grf} size=8
.input O offset=${grf + 8} size=8
${size.join("\n")}
.kernel_attr SimdSize=16
.function "main"
main:
${lines}
    ret (M1, 1)
`;
  const { value: module, diagnostics } = device.module(text, { platform: platformNamed(grf === 64 ? "XE2" : "DG2")! });
  expect(diagnostics).toEqual([]);
  const kernel = module!.kernel("k").value!;
  const bytes = Uint8Array.from({ length: SURFACE.pitch * SURFACE.height }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
  const [surface, out] = [bytes.length, 4096].map((length) => device.allocate(length)!) as [Buffer, Buffer];
  surface.write(bytes);
  out.write(new Uint8Array(4096).fill(0xee));
  const args = [surface, out, SURFACE.width - 1, SURFACE.height - 1, SURFACE.pitch - 1, x, y];
  const { stop } = kernel.launch({ args }).value!;
  expect(stop).toEqual({ reason: "exit" });
  return { before: bytes, after: surface.read(), out: out.read() };
}

/** Bytes of the surface at an element, or zeros outside. */
const at = (bytes: Uint8Array, size: number, x: number, y: number): number[] =>
  Array.from({ length: size }, (_, k) =>
    x < 0 || y < 0 || (x + 1) * size > SURFACE.width || y >= SURFACE.height
      ? 0
      : bytes[y * SURFACE.pitch + x * size + k]!,
  );

interface Shape {
  readonly bits: number;
  readonly blocks: number;
  readonly width: number;
  readonly height: number;
  readonly order: "nn" | "nt" | "tn" | "tt";
}

/** What LOAD_BLOCK2D of the manual leaves in registers, loop by loop as it stands there. */
function registers(
  { bits, blocks, width, height, order }: Shape,
  grf: number,
  bytes: Uint8Array,
  [x0, y0]: readonly [number, number],
): number[] {
  const size = bits / 8;
  const perDword = 4 / size;
  const perRegister = grf / size;
  const transpose = order.startsWith("t");
  const pow2 = (value: number): number => 2 ** Math.ceil(Math.log2(value));
  const pitch = pow2(transpose ? height : width);
  const blockSize = pitch * (transpose ? width : height);
  const blockPitch = Math.ceil(blockSize / perRegister) * perRegister;
  const dst: number[] = Array<number>(blocks * blockPitch * size).fill(0);
  const put = (offset: number, b: number, y: number, x: number): void => {
    for (const [k, byte] of at(bytes, size, x0 + b * width + x, y0 + y).entries()) dst[offset * size + k] = byte;
  };
  for (let b = 0; b < blocks; b++) {
    const start = b * blockPitch;
    if (order === "nn")
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) put(start + y * pitch + x, b, y, x);
    if (order === "nt")
      for (let y = 0; y < height; y += perDword)
        for (let x = 0; x < width; x++)
          for (let i = 0; i < perDword; i++) put(start + y * pitch + x * perDword + i, b, y + i, x);
    if (order === "tn")
      for (let x = 0; x < width; x++) for (let y = 0; y < height; y++) put(start + x * pitch + y, b, y, x);
    if (order === "tt")
      for (let x = 0; x < width; x += perDword)
        for (let y = 0; y < height; y++)
          for (let i = 0; i < perDword; i++) put(start + x * pitch + y * perDword + i, b, y, x + i);
  }
  return dst;
}

const SURFACE_OPERAND = "flat[B,SW,SH,SP,X,Y]";

describe("lsc_load_block2d", () => {
  it.each([
    [{ bits: 16, blocks: 1, width: 16, height: 8, order: "nn" }, 64, [4, 3]],
    [{ bits: 16, blocks: 2, width: 16, height: 16, order: "nt" }, 64, [-2, 6]],
    [{ bits: 8, blocks: 2, width: 32, height: 8, order: "nt" }, 64, [40, 0]],
    [{ bits: 32, blocks: 1, width: 8, height: 16, order: "tn" }, 64, [9, -3]],
    [{ bits: 32, blocks: 1, width: 5, height: 6, order: "nn" }, 32, [20, 16]],
    [{ bits: 64, blocks: 1, width: 3, height: 8, order: "tn" }, 64, [0, 15]],
    [{ bits: 8, blocks: 3, width: 12, height: 4, order: "nn" }, 64, [70, 1]],
    [{ bits: 16, blocks: 1, width: 6, height: 8, order: "tt" }, 64, [1, 1]],
  ] as const)("%j to registers of %d bytes from %j on is as the manual has it", (shape, grf, start) => {
    const { bits, blocks, width, height, order } = shape;
    const data = `D:d${bits}.${blocks}x${width}x${height}${order}`;
    const lines = Array.from(
      { length: 4 },
      (_, at) => `    lsc_store.ugm (M1_NM, 1) flat[O+${256 * at}]:a64 D.${256 * at}:d32x64t`,
    );
    const { before, out } = run(
      `    lsc_load_block2d.ugm (M1_NM, 1) ${data} ${SURFACE_OPERAND}\n${lines.join("\n")}`,
      grf,
      start,
    );
    const expected = registers(shape, grf, before, start);
    expect([...out.slice(0, expected.length)]).toEqual(expected);
    // What is behind them stays.
    expect([...out.slice(expected.length, 1024)].every((byte) => byte === 0)).toBe(true);
  });

  it("to %null changes nothing", () => {
    const { before, after } = run(
      `    lsc_load_block2d.ugm.ca.ca (M1_NM, 1) %null:d32.8x8nn ${SURFACE_OPERAND}`,
      64,
      [0, 0],
    );
    expect(after).toEqual(before);
  });
});

describe("lsc_store_block2d", () => {
  it("stores rows of a block, and nothing outside of the surface", () => {
    const lines = `    lsc_load_block2d.ugm (M1_NM, 1) D:d16.16x4nn ${SURFACE_OPERAND}
    add (M1_NM, 1) X(0,0)<1> X(0,0)<0;1,0> 0x20:d
    add (M1_NM, 1) Y(0,0)<1> Y(0,0)<0;1,0> 0x12:d
    lsc_store_block2d.ugm (M1_NM, 1) ${SURFACE_OPERAND} D:d16.16x4nn`;
    const { before, after } = run(lines, 64, [6, 0]);
    const expected = before.slice();
    for (let y = 0; y < 4; y++)
      for (let x = 0; x < 16; x++)
        if (2 * (38 + x) + 1 < SURFACE.width && 18 + y < SURFACE.height)
          expected.set(at(before, 2, 6 + x, y), (18 + y) * SURFACE.pitch + 2 * (38 + x));
    expect(after).toEqual(expected);
  });

  it.each([
    [
      "lsc_store_block2d.ugm (M1, 1) flat[B,SW,SH,SP,X,Y] D:d16.2x16x8nn",
      "lsc_store_block2d stores one block, neither transposed nor transformed",
    ],
    ["lsc_load_block2d.ugm (M1, 1) D:d32.16x8nt flat[B,SW,SH,SP,X,Y]", "elements of 8 or 16 bits are transformed"],
    ["lsc_load_block2d.ugm (M1, 1) D:d32.64x64nn flat[B,SW,SH,SP,X,Y]", "blocks of 1 to 2048 bytes"],
    ["lsc_load_block2d.ugm (M1, 1) D:d32 flat[B,SW,SH,SP,X,Y]", "lsc_load_block2d says its data as X:d16.2x16x8nn"],
    ["lsc_load_block2d.ugm (M1, 1) D:d32.8x8xx flat[B,SW,SH,SP,X,Y]", ":d32.8x8xx after a name"],
  ])("%s is refused", (line, message) => {
    const names = ["B", "SW", "SH", "SP", "X", "Y", "D"].map((name) => `.decl ${name} v_type=G type=ud num_elts=64`);
    const { value: module, diagnostics } = new Device().module(
      `.version 4.2\n.kernel "k"\n${names.join("\n")}\n    ${line}\n`,
    );
    expect([...diagnostics, ...(module?.kernel("k").diagnostics ?? [])][0]?.message).toBe(message);
  });
});
