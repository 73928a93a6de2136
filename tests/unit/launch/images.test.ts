import { crc32 as crc } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { arrayOf, shrinkLevels, type Texels, texelsOfFile } from "../../../src/launch/image/image-inputs.ts";
import { readNotation, readSampler } from "../../../src/launch/image/notation.ts";
import {
  isPicture,
  openPicture,
  openPng,
  openPnm,
  writePicture,
  writePng,
  writePnm,
} from "../../../src/launch/image/picture.ts";
import { BrokenPicture, type OpenPicture, type Picture } from "../../../src/launch/image/samples.ts";
import { writeNpy } from "../../../src/launch/input/npy.ts";
import { zlib } from "../../../src/system/files.ts";

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const picture = (width: number, height: number, channels: Picture["channels"], bits: Picture["bits"]): Picture => ({
  width,
  height,
  channels,
  bits,
  samples: Uint8Array.from({ length: (width * height * channels * bits) / 8 }, (_, at) => (at * 37 + 11) & 255),
});

/** All of an open picture, or what is wrong with it. */
function whole(open: OpenPicture | string): Picture | string {
  if (typeof open === "string") return open;
  const { rows, ...format } = open;
  try {
    return { ...format, samples: joined(...Array.from(rows(), (row) => Uint8Array.from(row))) };
  } catch (error) {
    if (error instanceof BrokenPicture) return error.message;
    throw error;
  }
}
const readPng = (file: Uint8Array, most: number) => whole(openPng(file, most, zlib));
const readPnm = (file: Uint8Array, most: number) => whole(openPnm(file, most));

/** A chunk as ISO/IEC 15948, 5.3 has it. */
function chunk(kind: string, body: Uint8Array, sum?: number): Uint8Array {
  const [length, check] = [new Uint8Array(4), new Uint8Array(4)];
  new DataView(length.buffer).setUint32(0, body.length);
  new DataView(check.buffer).setUint32(0, sum ?? crc(joined(text(kind), body)));
  return joined(length, text(kind), body, check);
}
const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const header = (width: number, height: number, bits: number, colour: number, interlaced = 0): Uint8Array =>
  chunk("IHDR", Uint8Array.of(0, 0, width >> 8, width, 0, 0, height >> 8, height, bits, colour, 0, 0, interlaced));
const data = (...rows: readonly (readonly number[])[]): Uint8Array =>
  chunk("IDAT", Uint8Array.from(zlib.deflate(Uint8Array.from(rows.flat()))));
const end = chunk("IEND", new Uint8Array());
const read = (...parts: readonly Uint8Array[]) => {
  const found = readPng(joined(signature, ...parts), 1000);
  return typeof found === "string" ? found : [...found.samples];
};

describe("a .png", () => {
  it("is read as it was written, in all its kinds", () => {
    for (const channels of [1, 2, 3, 4] as const)
      for (const bits of [8, 16] as const) {
        const given = picture(5, 3, channels, bits);
        expect(readPng(writePng(given, zlib), 1000)).toEqual(given);
      }
  });

  it("undoes each filter as section 9.2 says", () => {
    // Rows of three gray pixels behind a row of 10, 20, 30.
    const second = (filter: number, ...bytes: number[]) =>
      read(header(3, 2, 8, 0), data([0, 10, 20, 30], [filter, ...bytes]), end).slice(3);
    expect(second(0, 1, 2, 3)).toEqual([1, 2, 3]);
    expect(second(1, 1, 2, 255)).toEqual([1, 3, 2]);
    expect(second(2, 1, 250, 3)).toEqual([11, 14, 33]);
    // The mean is cut: (0+10)/2, (6+20)/2, (15+30)/2 = 22.
    expect(second(3, 1, 2, 3)).toEqual([6, 15, 25]);
    // Left 0, up 10, corner 0: up. Left 11, up 20, corner 10, estimate 21: up is nearer. Then left 22, up 30, corner 20, estimate 32: up.
    expect(second(4, 1, 2, 3)).toEqual([11, 22, 33]);
    expect(second(5, 1, 2, 3)).toBe("a row has an unknown filter".slice(3));
  });

  it("chooses left before up before the corner where they are as near (9.4)", () => {
    const last = (up: readonly number[], left: number) =>
      read(header(2, 2, 8, 0), data([0, ...up], [4, (left - up[0]!) & 255, 0]), end)[3];
    // Corner, up; left: the estimate is left + up - corner.
    expect(last([10, 10], 20)).toBe(20);
    expect(last([10, 20], 10)).toBe(20);
    expect(last([10, 20], 20)).toBe(20);
    expect(last([20, 10], 30)).toBe(20);
    expect(last([50, 40], 60)).toBe(50);
    expect(last([30, 10], 50)).toBe(30);
    expect(last([40, 41], 39)).toBe(40);
  });

  it("takes the first row as if zeros were above, and pixels of two bytes as they are", () => {
    expect(read(header(2, 1, 8, 0), data([4, 7, 8]), end)).toEqual([7, 15]);
    expect(read(header(2, 1, 8, 0), data([3, 7, 8]), end)).toEqual([7, 11]);
    expect(read(header(2, 1, 8, 0), data([2, 7, 8]), end)).toEqual([7, 8]);
    expect(read(header(2, 1, 16, 0), data([1, 1, 2, 3, 4]), end)).toEqual([2, 1, 6, 4]);
    expect(read(header(1, 2, 8, 4), data([1, 1, 2], [1, 3, 4]), end)).toEqual([1, 2, 3, 4]);
  });

  it("has the colours of its palette, and its data in as many chunks as it likes", () => {
    const palette = chunk("PLTE", Uint8Array.of(1, 2, 3, 4, 5, 6));
    expect(read(header(2, 1, 8, 3), palette, data([0, 1, 0]), end)).toEqual([4, 5, 6, 1, 2, 3]);
    expect(read(header(2, 1, 8, 3), palette, data([0, 1, 2]), end)).toBe(
      "a pixel has a colour that its palette has not",
    );
    expect(read(header(2, 1, 8, 3), data([0, 0, 0]), end)).toBe("a pixel has a colour that its palette has not");
    const packed = zlib.deflate(Uint8Array.of(0, 8, 9));
    const halves = [packed.subarray(0, 4), packed.subarray(4)].map((part) => chunk("IDAT", Uint8Array.from(part)));
    expect(read(header(2, 1, 8, 0), halves[0]!, chunk("tEXt", text("x")), halves[1]!, end)).toEqual([8, 9]);
  });

  it.each([
    ["no signature", new Uint8Array(20), "it does not begin as a .png file"],
    ["no end", joined(signature, header(1, 1, 8, 0)), "it is cut off"],
    ["half a chunk", joined(signature, header(1, 1, 8, 0).subarray(0, 20)), "it is cut off"],
    ["no header", joined(signature, end), "it has no header"],
    ["a wrong sum", joined(signature, chunk("IHDR", new Uint8Array(13), 5)), "the checksum of its IHDR is wrong"],
    ["a short header", joined(signature, chunk("IHDR", new Uint8Array(12)), end), "its header has a wrong length"],
    ["lines apart", joined(signature, header(1, 1, 8, 0, 1), end), "it is interlaced, which ptxrun does not read"],
    [
      "4 bits",
      joined(signature, header(1, 1, 4, 0), end),
      "its samples have 4 bits and colour type 0: 8 or 16 bits are read",
    ],
    [
      "colour type 5",
      joined(signature, header(1, 1, 8, 5), end),
      "its samples have 8 bits and colour type 5: 8 or 16 bits are read",
    ],
    [
      "a wide palette",
      joined(signature, header(1, 1, 16, 3), end),
      "its samples have 16 bits and colour type 3: 8 or 16 bits are read",
    ],
    ["no width", joined(signature, header(0, 1, 8, 0), end), "it has 0 x 1 pixels"],
    ["no height", joined(signature, header(1, 0, 8, 0), end), "it has 1 x 0 pixels"],
    ["too many", joined(signature, header(1000, 1, 8, 0), end), "its samples take 1000 bytes, more than 1000"],
    ["no data", joined(signature, header(1, 1, 8, 0), chunk("IDAT", text("no")), end), "its data cannot be unpacked"],
    [
      "a row too few",
      joined(signature, header(1, 2, 8, 0), data([0, 1]), end),
      "it has fewer rows than its header says",
    ],
    ["filter 5", joined(signature, header(1, 1, 8, 0), data([5, 1]), end), "a row has an unknown filter"],
  ])("with %s is refused in words", (_, file, words) => {
    expect(readPng(file, 1000)).toBe(words);
  });

  it("may take as many bytes as there are, with a byte a row", () => {
    const file = joined(signature, header(999, 1, 8, 0), data(Array(1000).fill(0)), end);
    expect(typeof readPng(file, 1000)).toBe("object");
    expect(readPng(file, 999)).toBe("its samples take 999 bytes, more than 999");
  });
});

describe("a .pgm or .ppm", () => {
  it("is read with comments and blanks of all kinds, and as it was written", () => {
    const gray = joined(text("P5 # a picture\n\t2\r\n# wide\n1\v255\n"), Uint8Array.of(32, 9));
    expect(readPnm(gray, 2)).toEqual({ width: 2, height: 1, channels: 1, bits: 8, samples: Uint8Array.of(32, 9) });
    expect(readPnm(gray, 1)).toBe("its samples take 2 bytes, more than 1");
    for (const bits of [8, 16] as const) {
      const colours = picture(3, 2, 3, bits);
      expect(readPnm(writePnm("x.ppm", colours) as Uint8Array, 1000)).toEqual(colours);
      const grays = picture(3, 2, 1, bits);
      expect(readPnm(writePnm("x.PGM", grays) as Uint8Array, 1000)).toEqual(grays);
    }
    expect(readPnm(joined(text("P5 1 1 65535 "), Uint8Array.of(1, 2)), 9)).toMatchObject({
      samples: Uint8Array.of(2, 1),
    });
  });

  it("leaves out what it has no place for, and has a place for each colour", () => {
    const of = (path: string, channels: Picture["channels"]) => {
      const made = writePnm(path, {
        width: 1,
        height: 2,
        channels,
        bits: 8,
        samples: Uint8Array.from({ length: 2 * channels }, (_, at) => at + 1),
      });
      return typeof made === "string" ? made : [...made.subarray(11)];
    };
    expect([of("x.pgm", 1), of("x.pgm", 2), of("x.ppm", 3), of("x.ppm", 4)]).toEqual([
      [1, 2],
      [1, 3],
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 5, 6, 7],
    ]);
    expect([of("x.pgm", 3), of("x.ppm", 2)]).toEqual([
      "3 channels do not go into a .pgm, which has one",
      "2 channels do not go into a .ppm, which has three",
    ]);
  });

  it.each([
    ["P4 1 1 255 x", "it does not begin with P5 or P6, as a binary .pgm or .ppm does"],
    ["P5 1 1", "its header has no width, height and greatest value"],
    ["P5 # 1 1 255", "its header has no width, height and greatest value"],
    ["P5 1 1 255", "its header is not closed"],
    ["P5 1 1 255x", "its header is not closed"],
    ["P5 12345678901 1 255 x", "it has 1234567890 x 1 pixels"],
    ["P5 0 1 255 x", "it has 0 x 1 pixels"],
    ["P5 1 0 255 x", "it has 1 x 0 pixels"],
    ["P5 1 1 254 x", "its greatest value is 254, not 255 or 65535"],
    ["P6 1 1 255 xx", "it has 2 bytes of samples, not 3"],
  ])("is refused in words: %s", (file, words) => {
    const found = readPnm(text(file), 2 ** 40);
    if (words.startsWith("it has 1234567890")) expect(typeof found).toBe("string");
    else expect(found).toBe(words);
  });
});

it("a picture is what its name says", () => {
  expect(["a.png", "a.PGM", "b.ppm", "c.npy", "png"].map(isPicture)).toEqual([true, true, true, false, false]);
  const one = picture(1, 1, 1, 8);
  expect(whole(openPicture("x.png", writePicture("x.PNG", one, zlib) as Uint8Array, 9, zlib))).toEqual(one);
  expect([writePicture("x.png", one, undefined), openPicture("x.png", new Uint8Array(), 9, undefined)]).toEqual(
    Array(2).fill("nothing here can pack or unpack a .png; a .ppm is plain"),
  );
});

describe("texels", () => {
  it("have four channels where a picture has three, the last one opaque", () => {
    for (const bits of [8, 16] as const) {
      const size = bits / 8;
      const given = picture(2, 1, 3, bits);
      const { array, rows } = texelsOfFile("x.png", writePng(given, zlib), {}, 99, zlib) as Texels;
      expect(array).toEqual({ width: 2, height: 1, format: `u${bits}`, channels: 4 });
      const pixels = [0, 1].flatMap((at) => [
        ...given.samples.subarray(3 * at * size, 3 * (at + 1) * size),
        ...Array(size).fill(255),
      ]);
      expect([...rows!()].map((row) => [...row])).toEqual([pixels]);
    }
    expect(texelsOfFile("x.png", writePng(picture(2, 1, 2, 16), zlib), {}, 99, zlib)).toMatchObject({
      array: { width: 2, height: 1, format: "u16", channels: 2 },
    });
    expect(texelsOfFile("x.png", new Uint8Array(9), {}, 99, zlib)).toMatch(/begin/);
  });

  it("of a .npy have channels where its last axis can be, or its geometry says so", () => {
    const of = (
      shape: readonly number[],
      geometry?: "1d" | "2d" | "3d" | "a2d" | "cube",
      type: "u8" | "f64" | "f32" = "u8",
    ) => {
      const count = shape.reduce((product, each) => product * each, type === "f64" ? 8 : type === "f32" ? 4 : 1);
      const found = texelsOfFile(
        "x.npy",
        writeNpy(new Uint8Array(count), type, shape),
        geometry ? { geometry } : {},
        9,
      );
      return typeof found === "string" ? found : found.array;
    };
    const [format, channels] = ["u8", 1];
    expect(of([5])).toEqual({ width: 5, format, channels });
    expect(of([3, 5], undefined, "f32")).toEqual({ width: 5, height: 3, format: "f32", channels });
    expect(of([3, 5, 4])).toEqual({ width: 5, height: 3, format, channels: 4 });
    expect(of([3, 5, 1])).toEqual({ width: 5, height: 3, format, channels: 1 });
    expect(of([2, 5, 3])).toEqual({ width: 3, height: 5, depth: 2, format, channels });
    expect(of([2, 5, 4], "3d")).toEqual({ width: 4, height: 5, depth: 2, format, channels });
    expect(of([3, 2], "1d")).toEqual({ width: 3, format, channels: 2 });
    expect(of([3, 3], "1d")).toBe("its last axis is 3: a texel has 1, 2 or 4 channels");
    expect(of([6, 5, 5], "cube")).toEqual({ width: 5, height: 5, cubemap: true, format, channels });
    expect(of([3, 5], "3d")).toBe("5 x 3 is not a size of a 3d, which has 3");
    expect(of([2], "1d", "f64")).toBe("its elements are .f64, which no texture has");
    expect(of([2, 3, 4, 5, 3])).toBe("3 x 5 x 4 x 3 x 2 is not a size of a texture, which has 1 to 3 sizes");
    expect(texelsOfFile("x.npy", new Uint8Array(3), {}, 9)).toBe("it does not begin as a .npy file");
  });

  it("have a size of their geometry", () => {
    expect([
      arrayOf([4], undefined),
      arrayOf([4, 3], undefined),
      arrayOf([4, 3, 2], undefined),
      arrayOf([4, 3], "a1d"),
      arrayOf([4, 3, 2], "a2d"),
      arrayOf([4, 4], "cube"),
      arrayOf([4, 4, 6], "cube"),
      arrayOf([4, 4, 12], "acube"),
    ]).toEqual([
      { width: 4 },
      { width: 4, height: 3 },
      { width: 4, height: 3, depth: 2 },
      { width: 4, layers: 3 },
      { width: 4, height: 3, layers: 2 },
      { width: 4, height: 4, cubemap: true },
      { width: 4, height: 4, cubemap: true },
      { width: 4, height: 4, layers: 2, cubemap: true },
    ]);
    expect([
      arrayOf([4, 4, 5], "cube"),
      arrayOf([4, 4, 7], "acube"),
      arrayOf([4, 4], "acube"),
      arrayOf([4], "2d"),
      arrayOf([], undefined),
    ]).toEqual([
      "4 x 4 x 5 is not a cubemap, which has six faces",
      "4 x 4 x 7 is not an array of cubemaps, which have six faces each",
      "4 x 4 is not a size of a acube, which has 3",
      "4 is not a size of a 2d, which has 2",
      "no size is not a size of a texture, which has 1 to 3 sizes",
    ]);
  });

  it("of smaller levels are means of those that they cover", () => {
    const levels = (
      format: "u8" | "f32",
      size: { width: number; height?: number; depth?: number; layers?: number },
      values: number[],
      channels: 1 | 2 = 1,
    ) => {
      const device = new Device();
      const array = device.array({ name: "t", format, channels, levels: 2, ...size });
      const contents = format === "u8" ? Uint8Array.from(values) : new Uint8Array(Float32Array.from(values).buffer);
      const layers = size.layers ?? 1;
      const each = contents.length / layers;
      for (let layer = 0; layer < layers; layer++)
        array.write(contents.subarray(layer * each, (layer + 1) * each), { level: 0, layer });
      shrinkLevels(array, () => {});
      return Array.from({ length: layers }, (_, layer) => {
        const bytes = array.read({ level: 1, layer });
        return format === "u8" ? [...bytes] : [...new Float32Array(new Uint8Array(bytes).buffer)];
      }).flat();
    };
    expect(levels("u8", { width: 4 }, [0, 1, 10, 20])).toEqual([1, 15]);
    expect(levels("u8", { width: 4, height: 2 }, [0, 2, 10, 20, 4, 6, 30, 40])).toEqual([3, 25]);
    expect(levels("f32", { width: 2, height: 2, depth: 2 }, [1, 2, 3, 4, 5, 6, 7, 9])).toEqual([4.625]);
    expect(levels("u8", { width: 2, height: 1 }, [10, 1, 20, 3], 2)).toEqual([15, 2]);
    expect(levels("u8", { width: 1, height: 4 }, [0, 2, 10, 20])).toEqual([1, 15]);
    expect(levels("u8", { width: 2, height: 2, layers: 2 }, [0, 0, 0, 8, 4, 4, 4, 4])).toEqual([2, 4]);
    // An odd size leaves its last texel out.
    expect(levels("u8", { width: 5 }, [0, 2, 10, 20, 99])).toEqual([1, 15]);
  });
});

describe("the notation of an image", () => {
  it("says where texels come from, and how they are looked up", () => {
    expect(
      readNotation(
        "image:@cat.PGM:filter=linear:address=wrap,border:normalized:border=1,-2:bias=-.5:least=0.5:most=3:mip=point:read=normalized:srgb:seamless:levels=3:a2d",
      ),
    ).toEqual({
      as: "texref",
      linear: false,
      levels: 3,
      geometry: "a2d",
      from: { kind: "file", path: "cat.PGM" },
      options: {
        filter: "linear",
        address: ["wrap", "border"],
        normalized: true,
        border: [1, -2],
        levelBias: -0.5,
        leastLevel: 0.5,
        mostLevel: 3,
        levelFilter: "point",
        read: "normalized",
        srgb: true,
        seamless: true,
      },
    });
    expect(readNotation("image:f32x2:64x48:iota:linear")).toMatchObject({
      as: "texref",
      linear: true,
      from: { kind: "spelled", type: "f32", channels: 2, size: [64, 48], fill: "iota" },
    });
    expect(readNotation("surface:u8:4x5x6:levels=2")).toMatchObject({
      as: "surfref",
      levels: 2,
      from: { type: "u8", channels: 1, size: [4, 5, 6] },
    });
    for (const [fill, filled] of [
      ["fill=1", true],
      ["1,2", true],
      ["-1", true],
      [".5", true],
      ["2d", false],
      ["linear", false],
    ] as const) {
      const found = readNotation(`image:u8:4:${fill}`);
      expect("from" in found && "fill" in found.from).toBe(filled);
    }
  });

  it.each([
    ["image:", 0, 5, "nothing says what the texels are"],
    ["image:x", 6, 1, "x is neither a picture nor a texel type"],
    ["image:u8", 6, 2, "the size is missing"],
    ["image:u8:0", 9, 1, "0 is not a size of a texture"],
    ["image:u8:1x2x3x4", 9, 7, "1x2x3x4 is not a size of a texture"],
    ["image:u8x3:4", 6, 4, "u8x3 is neither a picture nor a texel type"],
    ["image:u8:4:filter=box", 11, 10, "filter cannot be box"],
    ["image:u8:4:mip=", 11, 4, "mip cannot be nothing"],
    ["image:u8:4:read=x", 11, 6, "read cannot be x"],
    ["image:u8:4:address=wrap,wrong", 11, 18, "address cannot be wrap,wrong"],
    ["image:u8:4:address=wrap,wrap,wrap,wrap", 11, 27, "address cannot be wrap,wrap,wrap,wrap"],
    ["image:u8:4:border=", 11, 7, "border cannot be nothing"],
    ["image:u8:4:border=1,2,3,4,5", 11, 16, "border cannot be 1,2,3,4,5"],
    ["image:u8:4:border=1,x", 11, 10, "border cannot be 1,x"],
    ["image:u8:4:levels=0", 11, 8, "levels cannot be 0"],
    ["image:u8:4:levels=1.5", 11, 10, "levels cannot be 1.5"],
    ["image:u8:4:bias=x", 11, 6, "bias cannot be x"],
    ["image:u8:4:biass=1", 11, 7, "unknown option biass"],
    ["image:u8:4:sgrb", 11, 4, "unknown option sgrb"],
    ["surface:u8:4:srgb", 13, 4, "srgb does not belong to a surface"],
  ])("is refused with its place: %s", (words, at, length, message) => {
    expect(readNotation(words)).toMatchObject({ at, length, message });
  });

  it.each([
    [
      "sampler:filter=linear:address=wrap,clamp:normalized",
      { filter: "linear", address: ["wrap", "clamp"], normalized: true },
    ],
    ["sampler:", { at: 8, message: "an option is missing" }],
    ["sampler:levels=4", { at: 8, length: 8, message: "levels=4 does not belong to a sampler" }],
    ["sampler:filter=point:2d", { at: 21, length: 2, message: "2d does not belong to a sampler" }],
    ["sampler:filter=box", { at: 8, message: "filter cannot be box" }],
  ])("of a sampler alone: %s", (words, expected) => {
    expect(readSampler(words)).toMatchObject(expected);
  });

  it("names what was meant", () => {
    expect([
      readNotation("image:u8:4:sgrb"),
      readNotation("image:u8:4:biass=1"),
      readNotation("image:u8:4:qqqqqqqq"),
    ]).toMatchObject([
      { expected: "perhaps srgb" },
      { expected: "perhaps bias=" },
      { expected: expect.stringMatching(/^normalized, srgb, /) },
    ]);
  });
});
