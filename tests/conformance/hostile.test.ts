import { afterAll, describe, expect, it } from "vitest";
import { World } from "../unit/cli/world.ts";

/**
 * Files that nobody means well. Each must end, with a diagnostic or the right answer, and never with a stack. What they may
 * cost is bounded in `hostile-corpus.test.ts`.
 */
const header = ".version 9.0\n.target sm_90\n.address_size 64\n";
const kernel = (body: string, name = "k"): string => `${header}.visible .entry ${name}()\n{\n${body}\nret;\n}\n`;
const deep = 100_000;
const nested = (open: string, middle: string, close: string): string => open.repeat(deep) + middle + close.repeat(deep);
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

interface Hostile {
  readonly text: string | Uint8Array;
  readonly exit: number;
  /** What the messages or the result must hold. */
  readonly says: RegExp;
}

const files: Readonly<Record<string, Hostile>> = {
  "a comment of 1 MB that is never closed": {
    text: kernel(`/* ${"x*".repeat(5e5)}`),
    exit: 3,
    says: /PTX1006.*comment/,
  },
  "a million comment openings": { text: "/*".repeat(5e5), exit: 3, says: /PTX1006/ },
  "blocks in blocks": { text: kernel(nested("{", "", "}")), exit: 3, says: /PTX1107.*256/ },
  "blocks never closed": { text: kernel("{".repeat(deep)), exit: 3, says: /PTX1107/ },
  "parentheses in parentheses": {
    text: kernel(`.reg .u32 a; mov.u32 a, ${nested("(", "1", ")")};`),
    exit: 3,
    says: /PTX1107/,
  },
  "minus upon minus": { text: kernel(`.reg .u32 a; mov.u32 a, ${"-".repeat(deep)}1;`), exit: 3, says: /PTX1107/ },
  "not upon not": { text: kernel(`.reg .u32 a; mov.u32 a, ${"!".repeat(deep)}1;`), exit: 3, says: /PTX1107/ },
  "casts of casts": { text: kernel(`.reg .u32 a; mov.u32 a, ${"(.u64)".repeat(deep)}1;`), exit: 3, says: /PTX1107/ },
  "conditions in conditions": {
    text: kernel(`.reg .u32 a; mov.u32 a, ${nested("1?", "1", ":1")};`),
    exit: 3,
    says: /PTX1107/,
  },
  "a sum of 100,001 ones": { text: kernel(`.reg .u32 a; mov.u32 a, ${"1+".repeat(deep)}1;`), exit: 3, says: /PTX1107/ },
  "vectors of vectors": {
    text: kernel(`.reg .u32 a; mov.v2.u32 a, ${nested("{", "a", "}")};`),
    exit: 3,
    says: /PTX1107/,
  },
  "addresses in addresses": {
    text: kernel(`.reg .u32 a; ld.u32 a, ${nested("[", "a", "]")};`),
    exit: 3,
    says: /PTX1110/,
  },
  "initialisers in initialisers": {
    text: `${header}.global .u32 g = ${nested("{", "1", "}")};\n.entry k(){ret;}`,
    exit: 3,
    says: /PTX1107/,
  },
  "two thousand million registers": {
    text: kernel(".reg .b64 %r<2000000000>; mov.u64 %r1999999999, 7;"),
    exit: 0,
    says: /%r1999999999\s+b64\s+0x0000000000000007/,
  },
  "more registers than numbers": { text: kernel(".reg .b64 %r<20000000000000000000>;"), exit: 3, says: /PTX1407/ },
  "names that objects have": {
    text: kernel(
      ".reg .u32 constructor, toString, valueOf; mov.u32 constructor, 7; add.u32 toString, constructor, 1; mov.u32 valueOf, toString;",
      "__proto__",
    ),
    exit: 0,
    says: /constructor\s+u32\s+0x00000007[\s\S]*toString\s+u32\s+0x00000008/,
  },
  "bytes that are no UTF-8": { text: bytes(kernel("// "), [0xff, 0xfe, 0x80]), exit: 3, says: /PTX1010[\s\S]*UTF-8/ },
  "a NUL": { text: kernel(".reg .u32 a; mov.u32 a, \0 1;"), exit: 3, says: /PTX1003/ },
  "a megabyte of NUL": { text: new Uint8Array(1e6), exit: 3, says: /PTX1003/ },
  "one line of 10 MB of instructions": {
    text: `${header}.entry k() {.reg .u32 a; ${"mov.u32 a, 1; ".repeat(720_000)}ret;}`,
    exit: 3,
    says: /PTX1011/,
  },
  "one word of 10 MB": { text: "a".repeat(1e7), exit: 3, says: /PTX1/ },
  "one line of 10 MB without a semicolon": { text: "add.u32 a, b, c ".repeat(6e5), exit: 3, says: /PTX1/ },
  "text never closed": { text: `${header}.pragma "${"a".repeat(1e6)}`, exit: 3, says: /PTX1007/ },
  "a hundred thousand mistakes": {
    text: kernel(`.reg .u32 a, b;\n${"mov.u3 a, b;\n".repeat(deep)}`),
    exit: 3,
    says: /PTX1202[\s\S]*more/,
  },
  "a hundred thousand labels": {
    text: kernel(`${Array.from({ length: deep }, (_, i) => `L${i}: bra L${i + 1};`).join("\n")}\nL${deep}:`),
    exit: 0,
    says: /^$/,
  },
  "an array larger than memory": {
    text: `${header}.global .b8 g[4000000000000];\n.entry k(){ret;}`,
    exit: 6,
    says: /PTX6/,
  },
  "an array of sixty dimensions": {
    text: `${header}.global .u32 g${"[2]".repeat(60)};\n.entry k(){ret;}`,
    exit: 3,
    says: /PTX1407/,
  },
  "shared memory larger than memory": { text: kernel(".shared .b8 s[2000000000];"), exit: 6, says: /PTX6002/ },
  "300,000 modifiers": { text: kernel(`.reg .u32 a; add${".rn".repeat(3e5)}.u32 a, a, a;`), exit: 3, says: /PTX12/ },
  "300,000 operands": { text: kernel(`.reg .u32 a; add.u32 ${"a, ".repeat(3e5)}a;`), exit: 3, says: /PTX1301/ },
  "100,000 pairs": { text: kernel(`.reg .pred p; setp.eq.u32 ${"p|".repeat(deep)}p, 1, 1;`), exit: 3, says: /PTX1/ },
  "a number of a million digits": {
    text: kernel(`.reg .u32 a; mov.u32 a, ${"9".repeat(1e6)};`),
    exit: 3,
    says: /PTX16/,
  },
  "a fraction of a million digits": {
    text: kernel(`.reg .f32 a; mov.f32 a, 1.${"9".repeat(1e6)};`),
    exit: 0,
    says: /a\s+f32\s+0x40000000/,
  },
  "a loop without an end": { text: kernel("L: bra L;"), exit: 6, says: /PTX6001/ },
  "a million dots": { text: ".".repeat(1e6), exit: 3, says: /PTX1/ },
  "a million percent signs": { text: "%".repeat(1e6), exit: 3, says: /PTX1/ },
  "escape sequences in a name": { text: '.pragma "\u001b[31mred\u001b[0m', exit: 3, says: /PTX1/ },
};

describe("hostile files", () => {
  const world = new World();
  afterAll(() => world.remove());

  it.each(Object.entries(files))("%s", async (name, { text, exit, says }) => {
    const path = `${name.replace(/\W+/g, "-")}.ptx`;
    const outcome = await world.write(path, text).ptxrun([path, "--max-steps", "1M"]);
    const said = outcome.out + outcome.err;
    expect([outcome.exit, said.slice(0, 300)]).toEqual([exit, said.slice(0, 300)]);
    expect(said).toMatch(says);
    expect(said).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
    expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
    expect(said.length).toBeLessThan(100_000);
  });
});
