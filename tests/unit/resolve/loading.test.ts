import { describe, expect, it } from "vitest";
import { Device } from "../../../src/host/device.ts";
import { lint } from "../../../src/host/index.ts";
import { countTokens } from "../../../src/source/count-tokens.ts";
import { BYTES_PER_TOKEN, limitLoading } from "../../../src/source/loading.ts";
import { Source } from "../../../src/source/source.ts";
import { growth, LINEAR } from "../../cost.ts";
import { shapes } from "../../hostile/shapes.ts";
import { header } from "../../hostile/sizes.ts";

const bodyOf = (count: number): string => `.reg .u32 a;\n${"add.u32 a, a, 1;\n".repeat(count)}ret;`;
const kernel = (name: string, count: number): string => `.visible .entry ${name}()\n{\n${bodyOf(count)}\n}\n`;
/** Room for about this many instructions. */
const device = (instructions: number): Device => new Device({ maxMemory: instructions * 7 * BYTES_PER_TOKEN });

describe("loading within a limit of memory", () => {
  it("refuses a body at the line where there is no room, and says how much would do", () => {
    const module = device(2000).module(header + kernel("k", 10_000)).value;
    const { value, diagnostics } = module?.kernel("k") ?? { value: 1, diagnostics: [] };
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "PTX6005", severity: "error" }]);
    const [first] = diagnostics;
    const line = first?.source.position(first.span.start).line ?? 0;
    expect(line).toBeGreaterThan(1800);
    expect(line).toBeLessThan(2200);
    const [, needed = ""] = /about (\d+) bytes/.exec(first?.message ?? "") ?? [];
    expect(first?.help).toEqual([{ message: `--max-mem ${Math.ceil(Number(needed) / 2 ** 20)}M allows it` }]);
    const enough = new Device({ maxMemory: Math.ceil(Number(needed) / 2 ** 20) * 2 ** 20 });
    expect(enough.module(header + kernel("k", 10_000)).value?.kernel("k").diagnostics).toEqual([]);
  });

  it("counts only the bodies that are read", () => {
    const text = header + kernel("large", 10_000) + kernel("small", 100);
    const module = device(2400).module(text).value;
    expect(module?.kernel("small").diagnostics).toEqual([]);
    expect(module?.kernel("large").diagnostics).toMatchObject([{ code: "PTX6005" }]);
  });

  it("counts all bodies together", () => {
    const text = header + Array.from({ length: 10 }, (_, at) => kernel(`k${at}`, 600)).join("");
    const module = device(3000).module(text).value;
    const codes = Array.from({ length: 10 }, (_, at) => module?.kernel(`k${at}`).diagnostics.map(({ code }) => code));
    expect(codes.slice(0, 3).flat()).toEqual([]);
    expect(codes.at(-1)).toEqual(["PTX6005"]);
    expect(module?.lint().map(({ code }) => code)).toEqual(["PTX6005"]);
  });

  it("holds for declarations, snippets, broken text and vISA", () => {
    const codes = (text: string): string[] => {
      const source = new Source("x", text);
      limitLoading(source, { bytes: 2 ** 20 });
      return lint(source).map(({ code }) => code);
    };
    expect(codes(`${header}.global .u8 g[] = { ${"1, ".repeat(1e5)} 1 };\n`)).toEqual(["PTX6005"]);
    expect(codes("add.u32 a, b, c;\n".repeat(1e5))).toEqual(["PTX6005"]);
    expect(codes(`${header}${"] ".repeat(1e5)}`)).toEqual(["PTX6005"]);
    expect(codes(`.version 3.6\n.kernel "k"\n${"mov (M1, 16) V32(0,0)<1> V33(0,0)<1;1,0>\n".repeat(1e5)}`)).toEqual([
      "PTX6005",
    ]);
  });

  it("leaves the small as it is", () => {
    expect(new Device({ maxMemory: 2 ** 12 }).snippet("add.u32 a, b, c;").diagnostics).toEqual([]);
  });
});

describe("loading within a limit of time", () => {
  it("ends at a statement, in reading and in what follows", () => {
    const text = header + kernel("k", 3000);
    const places = Array.from({ length: 30 }, (_, last) => {
      const source = new Source("x", text);
      let asked = 0;
      limitLoading(source, { time: { now: () => asked++, end: last, allowed: 1000 } });
      const [first, ...more] = lint(source);
      expect(more).toEqual([]);
      return first === undefined ? undefined : `${first.code} ${source.position(first.span.start).line}`;
    });
    expect(places[0]).toBe("PTX6101 1");
    expect(new Set(places).size).toBeGreaterThan(10);
  });
});

describe("the count of tokens", () => {
  it("knows where the next would begin, past blanks and comments", () => {
    expect(countTokens("a /* b */ c // d\n e;", 2)).toEqual({ count: 4, end: 18 });
    expect(countTokens('"a b" "c', 9)).toEqual({ count: 3, end: undefined });
    expect(countTokens("= { 1, 2 } f { a b c }", 99, () => 21).count).toBe(9);
  });
});

function load(text: string): void {
  const source = new Source("x", text);
  lint(source);
  const { value } = new Device().module(source);
  for (const name of value?.entries.slice(0, 1) ?? []) value?.kernel(name);
}

describe("loading takes time in proportion to", () => {
  it.each(shapes.map((each) => [each.name, each] as const))("%s", async (_, { size, text }) => {
    expect(await growth((count) => load(text(count)), [size >> 4, size >> 1])).toBeLessThan(LINEAR);
  });
});
