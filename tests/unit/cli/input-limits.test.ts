import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { Exit } from "../../../src/environment/exit.ts";
import type { Files } from "../../../src/environment/files.ts";
import { openPng, writePng } from "../../../src/launch/image/picture.ts";
import { readBounded } from "../../../src/system/bounded.ts";
import { filesFrom, zlib } from "../../../src/system/files.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

/** Takes a buffer, and ends at once. */
world.write("k.ptx", ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 x) { ret; }\n");
const run = (argument: string, more: readonly string[] = [], io: Parameters<World["ptxrun"]>[1] = {}) =>
  world.ptxrun(["run", "k.ptx", "-a", `x=${argument}`, ...more], io);

/** A picture whose header says more than is there. */
function lying(width: number, height: number, packed: Uint8Array): Uint8Array {
  const file = writePng({ width: 1, height: 1, channels: 1, bits: 8, samples: new Uint8Array(1) }, zlib);
  const header = Uint8Array.from(file.subarray(0, 33));
  const view = new DataView(header.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  view.setUint32(29, zlib.crc32(header.subarray(12, 29)));
  const data = new Uint8Array(12 + packed.length);
  new DataView(data.buffer).setUint32(0, packed.length);
  data.set(new TextEncoder().encode("IDAT"), 4);
  data.set(packed, 8);
  new DataView(data.buffer).setUint32(8 + packed.length, zlib.crc32(data.subarray(4, -4)));
  return Uint8Array.from([...header, ...data, ...file.subarray(-12)]);
}

/** Files whose zlib says how much was unpacked, by whom it is asked. */
function counting(): { readonly files: Files; readonly unpacked: number[] } {
  const unpacked: number[] = [];
  const inflate = (bytes: Uint8Array, most: number): Uint8Array => {
    unpacked.push(most);
    return zlib.inflate(bytes, most);
  };
  return { files: { ...filesFrom(world.folder), zlib: { ...zlib, inflate } }, unpacked };
}

/** 8 bits times these are 4 MB. */
const [width, height] = [2000, 2000];
world.write("large.png", lying(width, height, deflateSync(new Uint8Array((width + 1) * height))));

describe("a picture", () => {
  it("is unpacked where the device has room for it, and once", async () => {
    const { files, unpacked } = counting();
    expect((await run("image:large.png", [], { files })).exit).toBe(Exit.ok);
    expect(unpacked).toEqual([(width + 1) * height]);
  });

  it.each([
    ["image:large.png", ["--max-mem", "1M"], /PTX2014[\s\S]*its samples take 4000000 bytes, more than 1048576/],
    // The array takes more than the samples: its rows begin at multiples of 512.
    ["image:large.png", ["--max-mem", "4004000"], /PTX6003[\s\S]*no room for x, \d+ bytes/],
    ["image:wide.png", [], /PTX2230[\s\S]*an array of 200000 x 1/],
  ])("%s with %j is refused from its header", async (argument, more, says) => {
    world.write("wide.png", lying(200_000, 1, deflateSync(new Uint8Array(200_001))));
    const { files, unpacked } = counting();
    const { exit, err } = await run(argument, more, { files });
    expect(err).toMatch(says);
    expect(exit).not.toBe(Exit.ok);
    expect(unpacked).toEqual([]);
  });

  it.each<[string, number[], RegExp]>([
    ["an unknown filter", [0, 7, 5, 7], /p\.png: a row has an unknown filter/],
    ["fewer rows", [0, 7], /p\.png: it has fewer rows than its header says/],
    ["more rows", [0, 7, 0, 7, 0, 7], /p\.png: its data cannot be unpacked/],
  ])("with %s is refused", async (_, rows, says) => {
    world.write("p.png", lying(1, 2, deflateSync(Uint8Array.from(rows))));
    const { exit, err } = await run("image:p.png");
    expect([exit, err]).toEqual([Exit.usage, expect.stringMatching(says)]);
  });

  it("with fewer bytes than any packing of its rows has is not unpacked", () => {
    const packed = deflateSync(new Uint8Array(1000));
    const inflate = (): never => {
      throw new Error("unpacked");
    };
    expect(openPng(lying(30_000, 30_000, packed), 2 ** 31, { ...zlib, inflate })).toBe(
      "it has fewer rows than its header says",
    );
  });

  it("is held once: rows are where they were unpacked", () => {
    const held: unknown[] = [];
    const inflate = (bytes: Uint8Array, most: number): Uint8Array => {
      const raw = zlib.inflate(bytes, most);
      held.push(raw.buffer);
      expect(raw.buffer.byteLength).toBe(most);
      return raw;
    };
    const opened = openPng(lying(300, 200, deflateSync(new Uint8Array(301 * 200))), 2 ** 31, { ...zlib, inflate });
    if (typeof opened === "string") throw new Error(opened);
    const buffers = new Set(Array.from(opened.rows(), ({ buffer }) => buffer));
    expect([...buffers]).toEqual(held);
  });
});

/** A clock that goes on by so many milliseconds with each look. */
const ticking = (step: number): (() => number) => {
  let time = 0;
  return () => {
    time += step;
    return time;
  };
};

describe("--timeout", () => {
  it.each(["image:large.png", "image:f32:1000x1000:iota", "image:f32x4:64x64:fill=1:levels=7", "bf16x1000000:iota"])(
    "holds while %s is made",
    async (argument) => {
      const { exit, err } = await run(argument, ["--timeout", "3s"], { now: ticking(60) });
      expect(err).toMatch(/^error PTX6101: still loading after 3 s\n --> --arg:1:/);
      expect(exit).toBe(Exit.limit);
    },
  );

  it.each([
    ["run", "k.ptx"],
    ["run", "data.bin"],
    ["trace", "k.ptx"],
    ["trace", "data.bin"],
  ])("counts from where the command began, whatever is read: %s, %s", async (command, slow) => {
    world.write("data.bin", new Uint8Array(8));
    let time = 0;
    const files = filesFrom(world.folder);
    const read: Files["read"] = (path, ...more) => {
      if (path.endsWith(slow)) time += 4000;
      return files.read(path, ...more);
    };
    const argv = [command, "k.ptx", "-a", "x=@data.bin", "--timeout", "3s"];
    const { err, exit } = await world.ptxrun(argv, { now: () => time, files: { ...files, read } });
    expect([exit, err]).toEqual([Exit.limit, expect.stringContaining("PTX6101: still loading after 3 s")]);
  });

  it("leaves a launch what loading has left", async () => {
    const endless = ["run", "-e", "L: bra L;", "--timeout", "3s"];
    // Each look takes 1 s: two are over before the first instruction.
    const { exit, err } = await world.ptxrun(endless, { now: ticking(1000) });
    expect([exit, err]).toEqual([Exit.limit, expect.stringMatching(/PTX6101: still (?:loading|running) after 3 s/)]);
  });
});

describe("reading", () => {
  it.skipIf(process.platform === "win32")("ends for a pipe whose writer says nothing", () => {
    const path = join(world.folder, "silent");
    execFileSync("mkfifo", [path]);
    const writer = openSync(path, constants.O_RDWR);
    try {
      let looks = 0;
      expect(readBounded(path, 100, { pipes: true, exact: false }, () => ++looks > 3)).toEqual({ late: true });
      expect(looks).toBe(4);
    } finally {
      closeSync(writer);
    }
  });

  it("refuses from its size what the device has no room for", async () => {
    world.write("huge.bin", "");
    truncateSync(join(world.folder, "huge.bin"), 2 ** 30 + 1);
    for (const [argument, says] of [
      ["@huge.bin", /PTX6003: no room for huge\.bin, more than 1073741824 bytes/],
      ["u8x1073741825:iota", /PTX6003: no room for x, 1073741825 bytes/],
    ] as const) {
      const { exit, err } = await run(argument);
      expect([exit, err]).toEqual([Exit.limit, expect.stringMatching(says)]);
    }
  });
});
