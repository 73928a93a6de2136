import { describe, expect, it } from "vitest";
import { pictureAsText } from "../../../model/picture/text.ts";
import { iriw, meeting, mp, mpForbidden, sbForbidden } from "./classics.ts";
import { type Example, made, step } from "./executions.ts";

const text = ({ execution, threads, forbidden }: Example): string => pictureAsText(execution, threads, forbidden);

describe("an execution as text", () => {
  it("has a column for each thread, arrows by name with what they mean, and the end", () => {
    expect(text(mp)).toBe(`initially  x = 0, flag = 0

P0                                       P1
block 0                                  block 1
--------------------------------------   ---------------------------------------
a: W x = 1                               c: R flag = 1
   st.weak.global.u32 [x], 1                ld.acquire.gpu.global.u32 r0, [flag]
b: W flag = 1                            d: R x = 1
   st.release.gpu.global.u32 [flag], 1      ld.weak.global.u32 r1, [x]
                                         r0 = 1, r1 = 1

po    program order: one after the other in one thread (8.9.1)
      a -> b, c -> d
rf    reads from: a write, and a read that returns its value (8.9.7)
      b -> c, a -> d
sw    synchronizes with: a release and its acquire, or a barrier (8.9.4)
      b -> c

finally    x = 1, flag = 1
`);
  });

  it("says first which axiom forbids it, and by which cycle", () => {
    expect(text(mpForbidden).split("\n\n")[0]).toBe(
      `Forbidden: Causality (PTX ISA 8.10.6)
  a -po-> b   program order: one after the other in one thread
  b -sw-> c   synchronizes with: a release and its acquire, or a barrier
  c -po-> d   program order: one after the other in one thread
  d -fr-> a   from reads: a read, and a write that replaces what it returned`,
    );
  });

  it("begins the cycle with the first event, wherever it is told from", () => {
    const { execution, threads, forbidden } = mpForbidden;
    const cycle = [...(forbidden?.cycle.slice(3) ?? []), ...(forbidden?.cycle.slice(0, 3) ?? [])];
    const turned = pictureAsText(execution, threads, { axiom: "Causality", section: "8.10.6", cycle });
    expect(turned).toBe(text(mpForbidden));
  });

  it("leaves out what follows from the rest", () => {
    expect(text(sbForbidden)).toContain("      a -> b -> c, d -> e -> f\n");
    // `d` and `e` are one atomic: from the read `g`, but not from `d`, one sees that `h` follows `e`.
    expect(text(meeting)).not.toContain("init n -> e");
    expect(text(meeting)).not.toContain("d -> h");
  });

  it("keeps the elements of a vector and the halves of an atomic in one instruction", () => {
    expect(text(meeting)).toContain("a+b -> c -> d+e, f -> g+h -> i+j, k -> l\n");
    expect(text(meeting).match(/atom\.relaxed/g)).toHaveLength(2);
    expect(text(meeting)).toContain("a -> i, b -> j");
  });

  it("draws a barrier that all meet at as a chain in both directions", () => {
    expect(text(meeting)).toContain("      c <-> f, f <-> k\n");
  });

  it("names races and memory whose last writes have no order", () => {
    expect(text(meeting)).toContain(
      "finally    p = 1, p[4] = 2, n = 2 or 70000 (the last writes have no order)\ndata race  e and l, h and l (8.7.1)\n",
    );
  });

  it("puts blocks of a cluster together and names clusters only where that says something", () => {
    const [names, places] = text(iriw)
      .split("\n")
      .slice(2)
      .map((line) => line.split(/ {2,}/));
    expect(names).toEqual(["P0", "P3", "P1", "P2"]);
    expect(places).toEqual(["block 0, cluster 0", "block 2, cluster 0", "block 1, cluster 1", "block 1, cluster 1"]);
    expect(text(mp)).not.toContain("cluster");
  });

  it("names devices where there are two", () => {
    const placements = [0, 1].map((gpu) => ({ block: 0, cluster: 0, gpu }));
    const both = made([[step("W", "st", "x", 1n)], [step("W", "st", "x", 2n)]], { placements, relations: {} });
    expect(text(both)).toMatch(/block 0, device 0 +block 0, device 1/);
  });

  it("puts many threads in bands that stay within a hundred columns", () => {
    const many = made(
      Array.from({ length: 9 }, () => [
        step("W", "st.relaxed.gpu.global.u32 [x], 0x123456789abcdef0123456789", "x", 1n),
      ]),
      { relations: {} },
    );
    const lines = text(many).split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(lines.filter((line) => /^P\d/.test(line)).map((line) => line.split(/ +/))).toEqual([
      ["P0", "P1", "P2"],
      ["P3", "P4", "P5"],
      ["P6", "P7", "P8"],
    ]);
  });

  it("says how a thread ended that did not", () => {
    const one = made([[step("R", "ld", "x")]], { relations: {} });
    const traces = one.execution.traces.map((trace) => ({ ...trace, end: { fault: "misaligned" } }));
    expect(text({ ...one, execution: { ...one.execution, traces } })).toContain("fault: misaligned");
  });

  it("names each register once, and of many the first", () => {
    const registers = (names: readonly string[]) => [Object.fromEntries(names.map((name) => [name, 1n]))];
    const ends = (names: readonly string[]) =>
      text(made([[step("R", "ld", "x")]], { relations: {}, registers: registers(names) }));
    expect(ends(["%r1", "r1", "p"])).toMatch(/^%r1 = 1, p = 1$/m);
    const many = ends(Array.from({ length: 14 }, (_, at) => `q${at}`));
    expect(many).toContain("q11 = 1");
    expect(many).not.toContain("q12");
    expect(many).toContain("and 2 more");
  });

  it("is one line a line, whatever names hold", () => {
    const odd = made([[step("W", "st\n\u001b[31m\u202e\t[x]", "a\nb", 1n)]], { names: ["P\r0"], relations: {} });
    const result = text(odd);
    expect(result).toContain("W a b = 1");
    expect(result).toContain("st ?[31m? [x]");
    expect(result).toMatch(/^P 0$/m);
  });

  it("says nothing of an execution in which nothing happens", () => {
    expect(text(made([], { relations: {} }))).toBe("\n");
  });
});
