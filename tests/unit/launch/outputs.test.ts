import { describe, expect, it } from "vitest";
import { noFiles } from "../../../src/environment/files.ts";
import { Device } from "../../../src/host/index.ts";
import { openPicture } from "../../../src/launch/image/picture.ts";
import type { OpenPicture } from "../../../src/launch/image/samples.ts";
import { writeTexels } from "../../../src/launch/image/write-texels.ts";
import { readNpy, writeNpy } from "../../../src/launch/input/npy.ts";
import { readNumber } from "../../../src/launch/value/number.ts";
import { zlib } from "../../../src/system/files.ts";
import { type Given, run } from "./once.ts";

type Shape = Parameters<Device["array"]>[0];

/** What a surface of these texels is written as, or why it is not. */
function written(file: string, shape: Omit<Shape, "name">, bytes: Uint8Array): Uint8Array | string {
  const device = new Device();
  const array = device.array({ ...shape, name: "s" });
  array.write(bytes);
  let contents: Uint8Array | string = "nothing";
  const found = writeTexels("s", file, device.texels(array), {
    ...noFiles,
    zlib,
    write: (_, given) => {
      contents = given;
      return undefined;
    },
  });
  return found[0]?.message ?? contents;
}

const bytesOf = (...values: readonly ArrayBufferView[]): Uint8Array =>
  Uint8Array.from(values.flatMap(({ buffer }) => [...new Uint8Array(buffer as ArrayBuffer)]));

describe("a surface", () => {
  it.each<[format: Shape["format"], channels: 1 | 2 | 4, bytes: Uint8Array, bits: 8 | 16, samples: readonly number[]]>([
    ["u8", 1, Uint8Array.of(0, 7, 128, 255), 8, [0, 7, 128, 255]],
    ["u16", 1, bytesOf(Uint16Array.of(0, 0x102, 5, 65535)), 16, [0, 0, 2, 1, 5, 0, 255, 255]],
    ["s8", 1, bytesOf(Int8Array.of(-1, 5, 127, -128)), 8, [0, 5, 127, 0]],
    ["u32", 1, bytesOf(Uint32Array.of(3, 255, 256, 2 ** 31)), 8, [3, 255, 255, 255]],
    ["f32", 1, bytesOf(Float32Array.of(0, 0.5, 1, 1.5)), 8, [0, 128, 255, 255]],
    ["f32", 1, bytesOf(Float32Array.of(-1, 0.25, 0.001, 1e9)), 8, [0, 64, 0, 255]],
    ["f16", 1, bytesOf(Uint16Array.of(0x3c00, 0x3800, 0, 0xbc00)), 8, [255, 128, 0, 0]],
    ["u8", 4, Uint8Array.from({ length: 16 }, (_, at) => at), 8, Array.from({ length: 16 }, (_, at) => at)],
  ])(
    "of .%s with %i channels is a picture of bytes, words, or of floats from 0 to 1",
    (format, channels, bytes, bits, samples) => {
      const file = written("s.png", { width: 2, height: 2, format, channels }, bytes);
      const open = openPicture("s.png", file as Uint8Array, 1000, zlib) as OpenPicture;
      expect(open).toMatchObject({ width: 2, height: 2, channels, bits });
      expect([...open.rows()].flatMap((row) => [...row])).toEqual(samples);
    },
  );

  it.each<[shape: Omit<Shape, "name" | "format" | "channels">, channels: 1 | 2 | 4, axes: readonly number[]]>([
    [{ width: 5 }, 1, [5]],
    [{ width: 5, height: 3 }, 1, [3, 5]],
    [{ width: 5, height: 3 }, 2, [3, 5, 2]],
    [{ width: 5, height: 3, depth: 2 }, 4, [2, 3, 5, 4]],
    [{ width: 5, layers: 3 }, 1, [3, 5]],
    [{ width: 5, height: 3, layers: 2 }, 1, [2, 3, 5]],
    [{ width: 4, height: 4, cubemap: true }, 1, [6, 4, 4]],
    [{ width: 4, height: 4, layers: 2, cubemap: true }, 1, [12, 4, 4]],
  ])("of %j with %i channels has the axes %j in a .npy, and is a plane or no picture", (shape, channels, axes) => {
    const bytes = Uint8Array.from(
      {
        length: axes.reduce(
          (product, each) => product * each,
          channels === 1 || axes.at(-1) === channels ? 1 : channels,
        ),
      },
      (_, at) => at,
    );
    const given = { ...shape, format: "u8", channels } as const;
    expect(readNpy(written("s.npy", given, bytes) as Uint8Array)).toEqual({ type: "u8", bytes, shape: axes });
    expect(written("s.bin", given, bytes)).toEqual(bytes);
    const isPlane = "height" in shape && !("depth" in shape || "layers" in shape || "cubemap" in shape);
    const picture = written("s.png", given, bytes);
    if (isPlane) expect(picture).toBeInstanceOf(Uint8Array);
    else expect(picture).toBe("s is not a plane, which a picture is");
  });

  it("alone is a picture", async () => {
    const { said } = await run("ld.global.u32 a, [p];", { reg: ["p=u32x4:iota"], dump: ["p=@p.png"] });
    expect(said).toMatchObject([{ code: "PTX2210", message: "p is neither a surface nor a picture" }]);
  });
});

describe("a buffer", () => {
  const dumped = async (dump: string) =>
    (await run("ld.global.u32 a, [p];", { reg: ["p=u32x6:iota"], dump: [dump] })).written;

  it("is written as it is, or as a view, to a .npy or as bare bytes", async () => {
    const all = bytesOf(Uint32Array.of(0, 1, 2, 3, 4, 5));
    expect(await dumped("p=@p.bin")).toEqual(new Map([["p.bin", all]]));
    expect(await dumped("p:u16x3=@p.bin")).toEqual(new Map([["p.bin", all.subarray(0, 6)]]));
    const npy = (await dumped("p:2x2=@p.npy")).get("p.npy");
    expect(readNpy(npy!)).toEqual({ type: "u32", bytes: all.subarray(0, 16), shape: [2, 2] });
    const small = (await dumped("p:e4m3x5=@p.npy")).get("p.npy");
    expect(readNpy(small!)).toEqual({ type: "u8", bytes: all.subarray(0, 5), shape: [5] });
  });

  it("begins as NumPy's format 1.0 does, with its data at a multiple of 64", () => {
    for (const count of [0, 1, 1000]) {
      const file = writeNpy(new Uint8Array(count), "u8");
      expect([...file.subarray(0, 8)]).toEqual([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0]);
      const end = 10 + (file[8] ?? 0) + 256 * (file[9] ?? 0);
      expect([end % 64, file.length - end, file[end - 1]]).toEqual([0, count, 10]);
    }
  });
});

describe("the kernel of a module", () => {
  const header = ".version 8.0\n.target sm_80\n.address_size 64\n";
  const kernel = (name: string) => `.visible .entry ${name}() { ret; }\n`;
  const func = (name: string) => `.visible .func ${name}() { ret; }\n`;

  it.each<[text: string, severity: string | undefined, message: string | undefined, expected?: string]>([
    [kernel("a"), undefined, undefined],
    [kernel("a") + func("f"), undefined, undefined],
    [func("f"), "note", "t.ptx has no kernel; its only function, f, is called by itself"],
    [kernel("a") + kernel("b") + func("f"), "error", "t.ptx has 2 kernels", "--entry a, --entry b"],
    [func("f") + func("g"), "error", "t.ptx has no kernel and 2 functions", "--entry f, --entry g"],
    ["", "error", "t.ptx has no kernel", "an .entry function"],
    [
      Array.from({ length: 14 }, (_, at) => kernel(`k${at + 10}`)).join(""),
      "error",
      "t.ptx has 14 kernels",
      `${Array.from({ length: 12 }, (_, at) => `--entry k${at + 10}`).join(", ")}, or one of 2 more`,
    ],
  ])("of %j is the only one, or is asked for", async (text, severity, message, expected) => {
    const { said } = await run(header + text, {});
    expect(said.map((each) => [each.severity, each.message])).toEqual(
      message === undefined ? [] : [[severity, message]],
    );
    if (expected !== undefined) expect(said[0]?.expected).toBe(expected);
  });

  it("is none for a snippet, which has no other options of modules and of vISA either", async () => {
    expect((await run("add.u32 d, a, b;", { entry: "k" })).said[0]).toMatchObject({
      code: "PTX2003",
      message: "--entry names a kernel, and t.ptx is a snippet, which has none",
    });
    expect((await run("// nothing", {})).said[0]).toMatchObject({
      code: "PTX2002",
      message: "t.ptx holds no instruction",
    });
  });
});

describe("a launch that takes long", () => {
  const endless = "again:\nadd.u32 a, a, 1;\nbra again;\n";

  /** How often it rests until a limit of steps, when each slice takes so many milliseconds. */
  async function rests(took: number, maxSteps: number): Promise<number> {
    let [time, count] = [0, 0];
    const slicing = { now: () => (time += took), rest: async () => void count++ };
    const { said } = await run(endless, { maxSteps, executor: "js", dump: ["none"] }, {}, slicing as never);
    expect(said.at(-1)?.message).toMatch(/step|instructions/);
    return count;
  }

  it.each([
    // The first slice has 64 steps, and each is to take 50 ms: the next has at most four times as many, and a quarter at least.
    [50, 600, 9],
    [25, 600, 3],
    [0, 600, 2],
    [1, 600, 2],
    [100, 100, 2],
    [1000, 82, 2],
  ])("%i ms a slice, of %i steps, rests %i times", async (took, steps, expected) => {
    expect(await rests(took, steps)).toBe(expected);
  });

  it("ends when its time is over, and not before", async () => {
    const ended = async (timeout: number) => {
      let time = 0;
      const slicing = { now: () => (time += 10), rest: async () => undefined };
      const { said } = await run(endless, { timeout, maxSteps: 2000, dump: ["none"] }, {}, slicing as never);
      return said.at(-1)?.code;
    };
    expect(await ended(5)).toBe("PTX6101");
    expect(await ended(10_000)).toBe("PTX6001");
  });

  it("ends by a signal, with that signal's code", async () => {
    const slicing = { now: () => 0, rest: async () => "SIGINT" as const };
    expect(await run(endless, { dump: ["none"] }, {}, slicing)).toMatchObject({ exit: 130 });
  });
});

it.each<[text: string, type: string, expected: string]>([
  ["2049", "f16", "2049.0 for the nearest (0x6800), or 0x801 for the bits"],
  ["-2049", "f16", "-2049.0 for the nearest (0xe800)"],
  ["65505", "f16", "65505.0 for the nearest (0x7bff), or 0xffe1 for the bits"],
  ["16777217", "f32", "16777217.0 for the nearest (0x4b800000), or 0x1000001 for the bits"],
  ["4294967297", "f32", "4294967297.0 for the nearest (0x4f800000)"],
])("%s in .%s is asked for as a number or as bits", (text, type, expected) => {
  expect(readNumber(text, type)).toMatchObject({ expected });
});

it("a variable of a SIMD thread is shown as the thread that is asked for has it", async () => {
  // Each group writes its number into a variable that every thread has for itself.
  const text = `.version 3.8
.kernel "k"
.decl X v_type=G type=d num_elts=16 align=GRF
mov (M1, 16) X(0,0)<1> 7:d
mov (M1, 1) X(0,0)<1> %group_id_x(0,0)<0;1,0>
ret (M1, 1)
`;
  const shown = async (more: Given) => {
    const { buffers } = await run(text, { grid: [3, 1, 1], block: [32, 1, 1], dump: ["X"], ...more });
    return buffers?.map(({ name, bits }) => [name, ...bits.slice(0, 2)]);
  };
  expect(await shown({})).toEqual([["X", 0n, 7n]]);
  expect(await shown({ thread: [1, 0] })).toEqual([["X", 1n, 7n]]);
  expect(await shown({ thread: [2, 16] })).toEqual([["X", 2n, 7n]]);
  expect(await shown({ thread: "all" })).toEqual([["X", 0n, 7n]]);
});
