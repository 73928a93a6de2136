import { describe, expect, it } from "vitest";
import { readNpy, writeNpy } from "../../../src/launch/input/npy.ts";

/** A file as NumPy writes it: version, header text, data. */
function file(header: string, data: Uint8Array, major = 1): Uint8Array {
  const text = new TextEncoder().encode(header);
  const size = major === 1 ? [text.length & 0xff, text.length >> 8] : [text.length & 0xff, text.length >> 8, 0, 0];
  return Uint8Array.of(0x93, ...new TextEncoder().encode("NUMPY"), major, 0, ...size, ...text, ...data);
}
const header = (descr: string, shape: string, fortran = "False") =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': (${shape}), }\n`;

describe("a .npy file", () => {
  it("is read in all three format versions, whatever its rank", () => {
    const data = new Uint8Array(8);
    expect(readNpy(file(header("<f4", "2,"), data))).toEqual({ type: "f32", bytes: data, shape: [2] });
    expect(readNpy(file(header("<f2", "2, 2"), data, 2))).toEqual({ type: "f16", bytes: data, shape: [2, 2] });
    expect(readNpy(file(header("|u1", "8,"), data, 3))).toEqual({ type: "u8", bytes: data, shape: [8] });
    expect(readNpy(file(header("<i8", ""), data))).toEqual({ type: "s64", bytes: data, shape: [] });
  });

  it.each([
    ["another file", Uint8Array.of(1, 2, 3), "does not begin"],
    ["a version to come", file(header("<f4", "2,"), new Uint8Array(8), 9), "format version 9"],
    ["big-endian data", file(header(">f4", "2,"), new Uint8Array(8)), "big-endian"],
    ["complex numbers", file(header("<c8", "1,"), new Uint8Array(8)), "<c8, which PTX has not"],
    ["structures", file("{'descr': [('a', '<f4')], 'shape': (1,), }\n", new Uint8Array(4)), "structures"],
    ["Fortran order", file(header("<f4", "1, 2", "True"), new Uint8Array(8)), "Fortran order"],
    ["too little data", file(header("<f4", "3,"), new Uint8Array(8)), "8 bytes of data where its shape (3,) needs 12"],
    ["a cut header", file(header("<f4", "2,"), new Uint8Array(0)).subarray(0, 20), "cut off"],
  ])("that is %s is refused in words", (_, bytes, words) => {
    expect(readNpy(bytes)).toContain(words);
  });

  it("is written so that its data begins at a multiple of 64", () => {
    const data = Uint8Array.of(1, 2, 3, 4);
    const written = writeNpy(data, "u16");
    expect(written.length % 64).toBe(4);
    expect(readNpy(written)).toEqual({ type: "u16", bytes: data, shape: [2] });
    expect(readNpy(writeNpy(data, "bf16"))).toEqual({ type: "u16", bytes: data, shape: [2] });
  });
});
