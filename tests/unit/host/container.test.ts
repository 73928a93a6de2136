import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ptxIn } from "../../../src/host/container/device-code.ts";
import { isFatbinary, readFatbinary, unpackLz4 } from "../../../src/host/container/fatbinary.ts";
import { unpackZstd } from "../../../src/host/container/zstd.ts";
import { Device, lint, must } from "../../../src/host/index.ts";
import { embeddedModules } from "../../../src/host/module/listing.ts";
import { agree } from "../../agree.ts";
import { draws } from "../../share.ts";

/**
 * Two lines of CUDA as PTX for sm_80 and for sm_90, as `nvcc -fatbin -gencode arch=compute_80,code=compute_80 -gencode
 * arch=compute_90,code=compute_90 -compress-mode=...` packs them: not at all, by LZ4 and by zstd.
 */
const modes = ["none", "speed", "balance", "size"] as const;
const file = (mode: string): Uint8Array => readFileSync(join(import.meta.dirname, "container", `${mode}.fatbin`));

/** The text for a target, or the code of what is wrong. */
function textOf(bytes: Uint8Array, target = 80): string {
  const { value, diagnostics } = ptxIn("<module>", bytes, target);
  return value ?? diagnostics.map(({ code, message }) => `${code} ${message}`).join("\n");
}

/** One byte in so many is taken away, or changed; a prime, so that it is of each word every byte once. */
const STEP = draws(17, 1);

describe("a fat binary", () => {
  it.each(modes)("gives the PTX in it: %s", (mode) => {
    const bytes = file(mode);
    expect(isFatbinary(bytes)).toBe(true);
    const { value: entries } = readFatbinary(bytes);
    expect(entries.map(({ kind, target }) => [kind, target])).toContainEqual(["PTX", 80]);
    const text = textOf(bytes);
    expect(text).toBe(textOf(file("none")));
    const module = must(new Device().module(text));
    expect([module.entries, module.variables]).toEqual([["twice"], ["table"]]);
  });

  it("has something for newer devices, and nothing for older ones", () => {
    expect(textOf(file("none"), 89)).toContain(".target sm_80");
    for (const target of [90, 100]) expect(textOf(file("none"), target)).toContain(".target sm_90");
    expect(textOf(file("none"), 75)).toMatch(/^PTX2241 <module> has no PTX for sm_75 or older: only PTX for sm_80/);
  });

  it.each(modes)("is refused wherever it ends: %s", (mode) => {
    const bytes = file(mode);
    for (let end = 16; end < bytes.length; end += STEP) expect(textOf(bytes.subarray(0, end))).toMatch(/^PTX2240 /);
  });

  it.each(modes)("that is damaged gives a text or a diagnostic, and takes no time: %s", (mode) => {
    const bytes = file(mode);
    for (let at = 0; at < bytes.length; at += STEP)
      for (const change of [0x01, 0x80, 0xff]) {
        const damaged = Uint8Array.from(bytes);
        damaged[at]! ^= change;
        agree(typeof textOf(damaged), "string");
      }
  });

  it("that says it holds more than it can is refused", () => {
    for (const mode of ["speed", "balance"]) {
      const bytes = Uint8Array.from(file(mode));
      // Bytes when unpacked, of the first entry.
      new DataView(bytes.buffer).setBigUint64(16 + 56, 1n << 40n, true);
      expect(textOf(bytes)).toMatch(/^PTX2241 <module>: the PTX for sm_80 at byte 16 cannot be unpacked/);
    }
    for (const mode of ["speed", "balance", "size"])
      for (const by of [-100, -1, 1, 100, 1 << 20]) {
        const bytes = Uint8Array.from(file(mode));
        const view = new DataView(bytes.buffer);
        view.setBigUint64(16 + 56, view.getBigUint64(16 + 56, true) + BigInt(by), true);
        // As many bytes as it says must come out, no fewer and no more.
        expect([mode, by, textOf(bytes)]).toEqual([
          mode,
          by,
          "PTX2241 <module>: the PTX for sm_80 at byte 16 cannot be unpacked",
        ]);
      }
    expect(textOf(Uint8Array.of(0x50, 0xed, 0x55, 0xba, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0))).toContain(
      "header of 4 bytes",
    );
  });
});

/** What `container/make.sh` makes: two targets each, but for the cubins. */
const withPtx = ["sm_80-lineinfo.cubin", "sm_90-lineinfo.cubin", "ptx.fatbin", "lineinfo.fatbin", "ptx.o", "lineinfo.o", "ptx.so", "lineinfo.so"]; // biome-ignore format: a list of names
const built = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, "container", name));

describe("device code in a file", () => {
  it.each(withPtx)("is loaded and runs: %s", (name) => {
    const device = new Device();
    const module = must(device.module({ name, bytes: built(name) }));
    const x = device.buffer(new Float32Array([1, 2, 3, 4]));
    must(must(module.kernel("scale")).launch({ block: 4, args: [x] }));
    expect([...x.toArray("f32")]).toEqual([1.5, 5, 4.5, 10]);
    expect(module.variable("launches")?.toArray("u32")).toEqual([6]);
  });

  it.each(withPtx)("is the one for the target: %s", (name) => {
    const targets = name.endsWith(".cubin") ? [name.slice(0, 5)] : ["sm_80", "sm_90"];
    for (const target of targets)
      expect(textOf(built(name), Number(target.slice(3)) + 5)).toContain(`.target ${target}\n`);
    expect(textOf(built(name), 75)).toMatch(/^PTX2241 .* has no PTX for sm_75 or older: only /);
  });

  it("of several source files is one text, and each kernel has the variables of its own", () => {
    for (const name of ["ptx.so", "lineinfo.so"]) {
      const device = new Device();
      const module = must(device.module({ name, bytes: built(name) }));
      expect(module.names.kernels).toHaveLength(2);
      const x = device.buffer(new Int32Array(1));
      for (const count of [70, 71]) {
        must(must(module.kernel("count")).launch({ args: [x] }));
        expect([...x.toArray("u32")]).toEqual([count]);
      }
      expect(module.variable("launches")?.toArray("u32")).toEqual([5]);
      expect(module.variables).toContainEqual(expect.stringMatching(/^launches@2$|_launches$/));
    }
  });

  it("is listed with its kernels", () => {
    const listed = (name: string) =>
      embeddedModules(name, built(name)).value.map(({ kind, target, version, kernels }) =>
        [kind, target, version ?? "-", ...kernels].join(" "),
      );
    const all = (kind: string, version: string) =>
      ["sm_80", "sm_90"].map((target) => `${kind} ${target} ${version} _Z5scalePf`);
    expect(listed("sm_80.cubin")).toEqual(["machine code sm_80 - _Z5scalePf"]);
    expect(listed("sm_90-lineinfo.cubin")).toEqual(["machine code sm_90 9.0 _Z5scalePf"]);
    for (const name of ["ptx.fatbin", "ptx.o"])
      expect(listed(name).toSorted()).toEqual([...all("PTX", "9.0"), ...all("machine code", "-")]);
    for (const name of ["lineinfo.fatbin", "lineinfo.o"]) expect(listed(name)).toEqual(all("machine code", "9.0"));
    expect(listed("ptx.so").filter((line) => /^PTX sm_90 9.0 _Z5count/.test(line))).toHaveLength(1);
  });

  it("has the lines of its program where machine code keeps its text", () => {
    for (const name of ["sm_80-lineinfo.cubin", "sm_90-lineinfo.cubin", "lineinfo.o"]) {
      const text = textOf(built(name), 90);
      const lineBefore = (instruction: string): string | undefined =>
        [...text.slice(0, text.indexOf(instruction)).matchAll(/^\.loc 1 (\d+) /gm)].at(-1)?.[1];
      // Where the comparison's machine code lies is the compiler's choice.
      expect(["mul.f32", "st.global.f32", "st.global.u32", "ret;"].map(lineBefore)).toEqual(["6", "6", "7", "8"]);
      expect(text).toMatch(/^\.file 1 ".*\/scale\.cu"$/m);
      expect(lint({ name, text }).filter(({ severity }) => severity !== "note")).toEqual([]);
    }
  });

  it("that is machine code alone is said to be so, and how PTX gets into it", () => {
    const { value, diagnostics } = new Device().module({ name: "a.cubin", bytes: built("sm_90.cubin") });
    expect([value, diagnostics[0]?.message]).toEqual([undefined, "a.cubin has no PTX: only machine code for sm_90"]);
    expect(diagnostics[0]?.help?.[0]?.message).toContain("-gencode arch=compute_90,code=compute_90");
    expect(textOf(readFileSync(process.execPath).subarray(0, 1 << 20))).toContain("only code of the host");
  });

  it.each(["sm_90-lineinfo.cubin", "lineinfo.so"])(
    "that is cut or damaged gives a text or a diagnostic: %s",
    (name) => {
      const bytes = built(name);
      for (let at = 0; at < bytes.length; at += 31 * STEP) {
        agree(typeof textOf(bytes.subarray(0, at)), "string");
        const damaged = Uint8Array.from(bytes);
        damaged[at]! ^= 1 << (at % 8);
        agree(typeof textOf(damaged), "string");
        agree(Array.isArray(embeddedModules(name, damaged).value), true);
      }
      for (let at = bytes.length - 2048; at < bytes.length; at += 3 * STEP) {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = 0xff;
        agree(typeof textOf(damaged), "string");
      }
    },
  );
});

describe("a block of LZ4", () => {
  const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

  it("repeats what came before, its own bytes included", () => {
    const block = Uint8Array.of(0x3f, 0x61, 0x62, 0x63, 3, 0, 2, 0x10, 0x2e);
    const text = `${"abc".repeat(8)}.`;
    expect(unpackLz4(block, text.length)).toEqual(ascii(text));
  });

  it.each<readonly [string, readonly number[], number]>([
    ["goes back to before its beginning", [0x10, 0x61, 2, 0], 5],
    ["goes back by nothing", [0x10, 0x61, 0, 0], 5],
    ["ends within a literal", [0x50, 0x61], 5],
    ["ends within an offset", [0x10, 0x61, 1], 5],
    ["ends within a length", [0x1f, 0x61, 1, 0], 20],
    ["ends with a copy", [0x10, 0x61, 1, 0], 5],
    ["gives less than it says", [0x10, 0x61], 2],
    ["gives more than it says", [0x20, 0x61, 0x62], 1],
    ["cannot give that much", [0x10, 0x61], 1 << 28],
  ])("is refused where it %s", (_, block, bytes) => {
    expect(unpackLz4(Uint8Array.from(block), bytes)).toBeUndefined();
  });
});

describe("a frame of zstd", () => {
  /** What `zstd -c --no-check` 1.5.4 packed: --fast=5 of 40 lines, -19 of 120, and -19 --target-compressed-block-size=1340 of 600. */
  const frames = [40, 120, 600].map((lines) => {
    const line = (i: number): string => `add.u32 %r${i % 7}, %r${(i * i) % 11}, ${(i * 7919) % 1000};\n`;
    const text = Array.from({ length: lines }, (_, i) => line(i)).join("");
    const frame = Uint8Array.from(readFileSync(join(import.meta.dirname, "container", `words-${lines}.zst`)));
    return { text, frame };
  });
  // With checksums: `zstd -3` of one letter, and of two letters in turn.
  const packed = (text: string, base64: string) => ({ text, frame: Uint8Array.from(Buffer.from(base64, "base64")) });
  frames.push(packed("a".repeat(100_000), "KLUv/QBYVQAAEGFhAQCbhjnAAg=="));
  frames.push(packed("ab".repeat(50_000), "KLUv/QRYVQAAEGFiAQCbhuUOCyC/+eY="));

  it("gives what was packed, and so do several behind each other", () => {
    for (const { text, frame } of frames) expect(new TextDecoder().decode(unpackZstd(frame, text.length))).toBe(text);
    const skipped = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
    const all = Uint8Array.from([...skipped, ...frames.flatMap(({ frame }) => [...frame]), ...skipped]);
    const together = frames.map(({ text }) => text).join("");
    expect(new TextDecoder().decode(unpackZstd(all, together.length))).toBe(together);
  });

  it("is refused where it gives more or less than was said, or ends elsewhere", () => {
    for (const { text, frame } of frames) {
      for (const by of [-text.length, -1000, -1, 1, 1000])
        expect(unpackZstd(frame, Math.max(0, text.length + by))).toBeUndefined();
      for (let end = 1; end < frame.length; end++)
        expect(unpackZstd(frame.subarray(0, end), text.length)).toBeUndefined();
      expect(unpackZstd(Uint8Array.of(...frame, 0), text.length)).toBeUndefined();
    }
  });

  it("that is damaged gives as many bytes as were said, or none", () => {
    for (const { text, frame } of frames)
      for (let at = 0; at < frame.length; at += STEP) {
        const damaged = Uint8Array.from(frame);
        damaged[at]! ^= 1 << (at % 8);
        expect(unpackZstd(damaged, text.length)?.length ?? text.length).toBe(text.length);
      }
  });

  const HEAD = [0x28, 0xb5, 0x2f, 0xfd];
  const raw = (count: number, last = 1): number[] => {
    const head = (count << 3) | last;
    return [head & 255, (head >> 8) & 255, head >> 16, ...new Array<number>(count).fill(7)];
  };
  it.each<readonly [string, readonly number[], number]>([
    ["says that it has fewer bytes", [...HEAD, 0x20, 3, ...raw(4)], 4],
    ["says that it has more bytes", [...HEAD, 0x20, 5, ...raw(4)], 4],
    ["wants a dictionary", [...HEAD, 0x21, 1, 4, ...raw(4)], 4],
    ["has a block of no kind", [...HEAD, 0x20, 4, 7 + (4 << 3), 0, 0, 7, 7, 7, 7], 4],
    ["uses a bit of its head that is reserved", [...HEAD, 0x28, 4, ...raw(4)], 4],
    ["repeats codes that there are not", [...HEAD, 0x20, 4, 5 + (5 << 3), 0, 0, 0x43, 0, 1, 1, 0], 4],
    ["goes back to before its beginning", [...HEAD, 0x20, 4, 5 + (7 << 3), 0, 0, 0x08, 7, 1, 0x54, 0, 4, 1], 4],
  ])("is refused where it %s", (_, bytes, count) => {
    expect(unpackZstd(Uint8Array.from(bytes), count)).toBeUndefined();
    expect(unpackZstd(Uint8Array.of(...HEAD, 0x20, 4, ...raw(4)), 4)).toEqual(Uint8Array.of(7, 7, 7, 7));
  });
});
