import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { Exit } from "../../../src/environment/exit.ts";
import { openPng, openPnm, writePng, writePnm } from "../../../src/launch/image/picture.ts";
import type { OpenPicture, Picture } from "../../../src/launch/image/samples.ts";
import { zlib } from "../../../src/system/files.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

/** Copies channel by channel, at texels. */
const copy = `.version 8.0
.target sm_75
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to) {
  .reg .b64 %rd<3>; .reg .b32 %r<9>;
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; shl.b32 %r3, %r1, 2;
  tex.2d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%rd1, {%r1, %r2}];
  sust.b.2d.v4.b8.trap [%rd2, {%r3, %r2}], {%r4, %r5, %r6, %r7};
  ret; }`;
world.write("copy.ptx", copy);

const colours: Picture = {
  width: 2,
  height: 2,
  channels: 3,
  bits: 8,
  samples: Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
};

/** All of a picture, or what is wrong with its header. */
function all(opened: OpenPicture | string): Picture | string {
  if (typeof opened === "string") return opened;
  const { rows, ...format } = opened;
  return { ...format, samples: Uint8Array.from(Array.from(rows(), (row) => [...row]).flat()) };
}
const readPng = (...given: Parameters<typeof openPng>) => all(openPng(...given));
const readPnm = (...given: Parameters<typeof openPnm>) => all(openPnm(...given));

const opaque = [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255];
world.write("p.ppm", writePnm("p.ppm", colours) as Uint8Array).write("p.png", writePng(colours, zlib));

const run = (from: string, ...more: string[]) =>
  world.ptxrun(["copy.ptx", "-a", `from=image:${from}`, "-a", "to=surface:u8x4:2x2", "--block", "2,2", ...more]);

describe("pictures in and out", () => {
  test.each(["p.ppm", "p.png"])("%s is read, its three channels as four", async (file) => {
    const { out, err, exit } = await run(file, "-d", "to");
    expect([out, err, exit]).toEqual([expect.stringMatching(/^to +u8x2x2x4/), "", Exit.ok]);
    expect(out).toContain("  [0]    1,2,3,255    4,5,6,255\n  [1]    7,8,9,255 10,11,12,255\n");
  });
  test("a surface is written as its file's name says", async () => {
    for (const file of ["o.ppm", "o.png", "o.npy", "o.bin"])
      expect((await run("p.ppm", "-d", `to=@${file}`)).err).toBe("");
    const file = (name: string) => new Uint8Array(readFileSync(join(world.folder, name)));
    expect(file("o.ppm")).toEqual(writePnm("o.ppm", colours));
    expect(readPng(file("o.png"), 1e6, zlib)).toEqual({ ...colours, channels: 4, samples: Uint8Array.from(opaque) });
    expect([...file("o.bin")]).toEqual(opaque);
    expect(new TextDecoder("latin1").decode(file("o.npy"))).toContain("'shape': (2, 2, 4)");
    expect((await run("p.ppm", "-d", "to=@o.pgm")).err).toMatch(/4 channels do not go into a \.pgm/);
  });
  test.each<[string, RegExp]>([
    ["p.ppm:filtr=linear", /unknown option filtr[\s\S]*perhaps filter=/],
    ["p.ppm:filter=cubic", /filter cannot be cubic/],
    ["p.ppm:filter=linear:read=element", /PTX2230[\s\S]*linear filtering of integers/],
    ["p.gif", /p\.gif is neither a picture nor a texel type/],
    ["nope.png", /cannot read nope\.png/],
    ["copy.ptx", /copy\.ptx is neither a picture/],
    ["u8x4", /the size is missing/],
    ["u8x4:0x4", /0x4 is not a size of a texture/],
    ["u8:2x2:1,2,3", /3 values for 4 elements/],
    ["u8:2x2x5:cube", /is not a cubemap, which has six faces/],
  ])("image:%s is refused", async (notation, says) => {
    const { err, exit } = await run(notation);
    expect(err).toMatch(says);
    expect(exit).toBe(Exit.usage);
  });
  test("a module's texture is bound by its name, a snippet's by its register", async () => {
    world.write(
      "named.ptx",
      ".version 8.0\n.target sm_75\n.address_size 64\n.global .texref t;\n.visible .entry k() { .reg .f32 %f<4>; tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {1.0}]; ret; }",
    );
    for (const option of ["-g", "-a"]) {
      const { out } = await world.ptxrun(["named.ptx", option, "t=image:f32:4:1,2,3,5:filter=linear", "-d", "%f0"]);
      expect(out).toMatch(/1\.5$/m);
    }
    expect((await world.ptxrun(["named.ptx", "-g", "t=surface:f32:4"])).err).toMatch(/t is a \.texref/);
    const snippet = "tex.level.2d.v4.f32.f32 {a, b, c, d}, [h, {x, x}], l;";
    const { out } = await world.ptxrun([
      ...["-e", snippet, "-r", "h=image:f32:4x4:iota:levels=3:normalized", "-r", "x=0.1", "-r", "l=1.0", "-d", "a"],
    ]);
    // The mean of 0, 1, 4 and 5.
    expect(out).toMatch(/2\.5$/m);
  });
  test("two threads that write one texel race", async () => {
    world.write("race.ptx", copy.replace("shl.b32 %r3, %r1, 2;", "mov.u32 %r3, 0;"));
    const argv = [
      "race.ptx",
      "-a",
      "from=image:p.ppm",
      "-a",
      "to=surface:u8x4:2x2",
      "--block",
      "2,1",
      "--sanitize",
      "race",
    ];
    expect((await world.ptxrun(argv)).err).toMatch(
      /PTX4002: thread \(1,0,0\) of block \(0,0,0\) writes .*, and so does thread \(0,0,0\)/,
    );
  });
  test("the REPL lists handles, and goes back before a store to a surface", async () => {
    const argv = ["repl", "copy.ptx", "-a", "from=image:p.png", "-a", "to=surface:u8x4:2x2:fill=0", "--block", "2,2"];
    const { out } = await world.ptxrun(argv, {
      stdin: "info textures\ncontinue\nprint to[4]\nreverse-continue\nprint to[4]\nquit\n",
    });
    expect(out).toMatch(/from +0x4f0600000010 +\.texref +2 x 2, u8x4 +nearest, clamp_to_edge/);
    expect(out).toMatch(/to +0x4f0600000020 +\.surfref +2 x 2, u8x4/);
  });
});

describe("files of pictures", () => {
  const deep: Picture = {
    width: 3,
    height: 2,
    channels: 2,
    bits: 16,
    samples: Uint8Array.from({ length: 24 }, (_, i) => 7 * i),
  };
  test("come back as they were written", () => {
    expect(readPng(writePng(deep, zlib), 1e6, zlib)).toEqual(deep);
    const gray = { ...deep, channels: 1 as const, samples: deep.samples.slice(0, 12) };
    expect(readPnm(writePnm("x.pgm", gray) as Uint8Array, 1e6)).toEqual(gray);
  });
  test("PNG's five filters are undone", () => {
    const samples = Uint8Array.from([9, 20, 31, 12, 5, 200, 17, 3, 254, 100, 101, 99, 1, 2, 3]);
    const at = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : (samples[3 * y + x] ?? 0));
    const paeth = (a: number, b: number, c: number): number => {
      const near = [a, b, c].map((each) => Math.abs(a + b - c - each));
      return [a, b, c][near.indexOf(Math.min(...near))] ?? 0;
    };
    const guesses = [
      () => 0,
      (x: number, y: number) => at(x - 1, y),
      (x: number, y: number) => at(x, y - 1),
      (x: number, y: number) => (at(x - 1, y) + at(x, y - 1)) >> 1,
      (x: number, y: number) => paeth(at(x - 1, y), at(x, y - 1), at(x - 1, y - 1)),
    ];
    const rows = guesses.flatMap((guess, y) => [y, ...[0, 1, 2].map((x) => at(x, y) - guess(x, y))]);
    const plain = writePng({ width: 3, height: 5, channels: 1, bits: 8, samples }, zlib);
    const body = deflateSync(Uint8Array.from(rows));
    // The same file with these rows in its IDAT, whose check sum must then be found wrong, and right once it is made anew.
    const [header, end] = [plain.subarray(0, 33), plain.subarray(-12)];
    const broken = Uint8Array.from([...header, 0, 0, 0, body.length, ...[73, 68, 65, 84], ...body, 0, 0, 0, 0, ...end]);
    expect(readPng(broken, 1e6, zlib)).toBe("the checksum of its IDAT is wrong");
    let crc = 0xffff_ffff;
    for (const byte of [73, 68, 65, 84, ...body]) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
    }
    new DataView(broken.buffer).setUint32(broken.length - 16, ~crc >>> 0);
    expect(readPng(broken, 1e6, zlib)).toMatchObject({ width: 3, height: 5, samples });
  });
  test("what is wrong with a file is said, and no more is unpacked than allowed", () => {
    const png = writePng(deep, zlib);
    expect(readPng(png.subarray(1), 1e6, zlib)).toMatch(/does not begin/);
    expect(readPng(png.subarray(0, 40), 1e6, zlib)).toMatch(/cut off|no header/);
    expect(readPng(png, 20, zlib)).toMatch(/samples take 24 bytes, more than 20/);
    const text = (value: string) => new TextEncoder().encode(value);
    expect(readPnm(text("P5\n# a comment\n2 2\n255\nab"), 1e6)).toMatch(/2 bytes of samples, not 4/);
    expect(readPnm(text("P5 99999 99999 255 "), 1e6)).toMatch(/more than 1000000/);
    expect(readPnm(text("P5 2 2 99 abcd"), 1e6)).toMatch(/greatest value is 99/);
    expect(readPnm(text("P2 2 2 255 1 2 3 4"), 1e6)).toMatch(/P5 or P6/);
  });
});
