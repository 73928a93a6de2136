import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFatbinary, ptxFor, readFatbinary } from "../../../src/host/fatbinary/fatbinary.ts";
import { unpackLz4 } from "../../../src/host/fatbinary/lz4.ts";
import { Device, must } from "../../../src/host/index.ts";

/**
 * Two lines of CUDA as PTX for sm_80 and for sm_90, as `nvcc -fatbin -gencode arch=compute_80,code=compute_80 -gencode
 * arch=compute_90,code=compute_90 -compress-mode=...` packs them: not at all, by LZ4 and by zstd.
 */
const modes = ["none", "speed", "balance", "size"] as const;
const file = (mode: string): Uint8Array => readFileSync(join(import.meta.dirname, "fatbinary", `${mode}.fatbin`));

/** The text for a target, or the code of what is wrong. */
function textOf(bytes: Uint8Array, target = 80): string {
  const { value: entries, diagnostics } = readFatbinary(bytes);
  const chosen = diagnostics.length > 0 ? { value: undefined, diagnostics } : ptxFor(entries, target);
  return chosen.value ?? chosen.diagnostics.map(({ code, message }) => `${code} ${message}`).join("\n");
}

describe("a fat binary", () => {
  it.each(modes)("gives the PTX in it: %s", (mode) => {
    const bytes = file(mode);
    expect(isFatbinary(bytes)).toBe(true);
    const { value: entries } = readFatbinary(bytes);
    expect(entries.map(({ kind, target }) => [kind, target])).toContainEqual(["ptx", 80]);
    const text = textOf(bytes);
    expect(text).toBe(textOf(file("none")));
    const module = must(new Device().module(text));
    expect([module.entries, module.variables]).toEqual([["twice"], ["table"]]);
  });

  it("has something for newer devices, and nothing for older ones", () => {
    expect(textOf(file("none"), 89)).toContain(".target sm_80");
    for (const target of [90, 100]) expect(textOf(file("none"), target)).toContain(".target sm_90");
    expect(textOf(file("none"), 75)).toMatch(/^PTX2241 no PTX for sm_75 or older: only PTX for sm_80/);
  });

  it.each(modes)("is refused wherever it ends: %s", (mode) => {
    const bytes = file(mode);
    for (let end = 0; end < bytes.length; end++) expect(textOf(bytes.subarray(0, end))).toMatch(/^PTX2240 /);
  });

  it.each(modes)("that is damaged gives a text or a diagnostic, and takes no time: %s", (mode) => {
    const bytes = file(mode);
    for (let at = 0; at < bytes.length; at++)
      for (const change of [0x01, 0x80, 0xff]) {
        const damaged = Uint8Array.from(bytes);
        damaged[at]! ^= change;
        expect(typeof textOf(damaged)).toBe("string");
      }
  });

  it("that says it holds more than it can is refused", () => {
    for (const mode of ["speed", "balance"]) {
      const bytes = Uint8Array.from(file(mode));
      // Bytes when unpacked, of the first entry.
      new DataView(bytes.buffer).setBigUint64(16 + 56, 1n << 40n, true);
      expect(textOf(bytes)).toMatch(/^PTX2241 the PTX for sm_80 cannot be unpacked/);
    }
    expect(textOf(Uint8Array.of(0x50, 0xed, 0x55, 0xba, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0))).toContain(
      "header of 4 bytes",
    );
  });
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
    ["gives less than it says", [0x10, 0x61], 2],
    ["gives more than it says", [0x20, 0x61, 0x62], 1],
    ["cannot give that much", [0x10, 0x61], 1 << 28],
  ])("is refused where it %s", (_, block, bytes) => {
    expect(unpackLz4(Uint8Array.from(block), bytes)).toBeUndefined();
  });
});
