import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "../../../../tests/unit/cli/world.ts";

const folder = join(import.meta.dirname, "cases");
const world = new World();
afterAll(() => world.remove());

/**
 * A program, and behind it how it is run and what is asked; each line of an answer as `LINE: what`, deeper ones further
 * right: what a person worked out who has read the program.
 */
it.each(readdirSync(folder).filter((name) => name.endsWith(".ptx")))("%s", async (name) => {
  const text = readFileSync(join(folder, name), "utf8");
  const args = /^\/\/ args: *(.*)$/m.exec(text)?.[1]?.split(" ").filter(Boolean) ?? [];
  const asked = [...text.matchAll(/^\/\/ why (.*)$/gm)].map(([, place = ""]) => place);
  const { out, err } = await world.write(name, text).ptxrun([name, "-q", "-d", "none", ...args, ...asked.flatMap((place) => ["--why", place])]); // biome-ignore format: one row
  const expected = text.split("\n").flatMap((line) => (line.startsWith("//> ") ? [line.slice(4)] : []));
  expect([...(asked.includes("first") ? [] : [err]), ...told(out)].filter(Boolean)).toEqual(expected);
});

describe("a place that is none", () => {
  const kernel = readFileSync(join(folder, "root.ptx"), "utf8");
  const why = (place: string, ...more: readonly string[]) =>
    world.write("k.ptx", kernel).ptxrun(["k.ptx", "-q", "--block", "8", "-a", "x=f32x8:iota", "-a", "out=f32x8", "-d", "none", ...more, "--why", place]); // biome-ignore format: one row

  it.each([
    ["out", "PTX2403: out has 8 elements", "^^^ expected one of them: out[0] to out[7]"],
    ["%f2 + 1", "PTX2403: %f2 + 1 has no place of its own", "^^^^^^^ expected a register, cc.cf or [memory]"],
    ["oot[3]", "PTX2404: oot means nothing here", "help: did you mean out?"],
    ["out[", "PTX2403: the expression ends too early", "expected a register, a number or [memory]"],
    ["out[8000]", "PTX2406: 0x4f0000009e00 is outside global memory", "^^^^^^^^^"],
    ["first of all", "PTX2403: of does not belong here", "expected an operator, or the end"],
  ])("%s", async (place, message, expected) => {
    const { exit, err } = await why(place);
    expect(err).toContain(message);
    expect(err).toContain(expected);
    expect(exit).toBe(2);
  });

  it("is not asked of several runs, of weak memory, or of vISA", async () => {
    expect((await why("out[3]", "--seeds", "1..2")).err).toContain(
      "PTX2003: --why and --seeds 1..2 cannot both be given",
    );
    expect((await why("out[3]", "--memory", "weak:random", "--seed", "1")).err).toContain(
      "PTX2003: --why and --memory weak cannot both be given",
    );
    world.write("v.visaasm", readFileSync(join(import.meta.dirname, "../../../../examples/visa/add.visaasm"), "utf8"));
    const visa = await world.ptxrun(["v.visaasm", "-q", "-d", "none", "--why", "first"]);
    expect(visa.err).toContain("PTX2407: values of vISA are not followed back");
  });

  it("says so where nothing is wrong", async () => {
    const { out, exit } = await world.ptxrun(["-e", "add.u32 c, a, b;", "-r", "a=1", "-r", "b=2", "-d", "none", "--why", "first"]); // biome-ignore format: one row
    expect([out, exit]).toEqual([expect.stringMatching(/^\nnothing is wrong: no fault/), 0]);
  });
});

it("is data with --json: steps, bits and what is left out", async () => {
  const { out } = await world.ptxrun(["-e", "sub.f32 c, a, b;", "-r", "a=1.5", "-r", "b=4", "--json", "--why", "c"]);
  const { why } = JSON.parse(out);
  expect(why).toEqual([
    {
      subject: "c",
      causes: [
        {
          value: { name: "c", type: "f32", bits: "0xc0200000" },
          origin: {
            ...{ kind: "step", step: 0, block: 0, thread: 0, who: "thread (0,0,0) of block (0,0,0)", pc: 0, line: 1 },
            text: "sub.f32 c, a, b;",
            operands: [
              { name: "a", type: "f32", bits: "0x3fc00000" },
              { name: "b", type: "f32", bits: "0x40800000" },
            ],
            sum: "1.5 - 4.0",
          },
          because: [
            { value: { name: "a", type: "f32", bits: "0x3fc00000" }, origin: { kind: "given" }, because: [], more: 0 },
            { value: { name: "b", type: "f32", bits: "0x40800000" }, origin: { kind: "given" }, because: [], more: 0 },
          ],
          more: 0,
        },
      ],
    },
  ]);
});

/** The lines of answers without the text of instructions, which the case itself shows. */
const told = (out: string): string[] =>
  out.split("\n").flatMap((line) => {
    if (line === "") return [];
    const [, left = "", number, right = ""] = /^( +)line (\d+) {2}(?:\S| (?! ))+ {2,}(.*)$/.exec(line) ?? [];
    return [number === undefined ? line.trimEnd() : `${left.slice(2)}${number}: ${right}`];
  });
