import { describe, expect, it } from "vitest";
import { codes } from "../../../src/source/index.ts";
import { Source } from "../../../src/source/source.ts";
import { growth, LINEAR } from "../../../tests/cost.ts";
import { draws } from "../../../tests/share.ts";
import { loadVisa, platformNamed, usual } from "../src/index.ts";

const declarations = `.decl X v_type=G type=d num_elts=16 align=GRF
.decl Y v_type=G type=d num_elts=16 align=GRF
.decl F v_type=G type=f num_elts=16 align=GRF
.decl H v_type=G type=hf num_elts=16 align=GRF
.decl P1 v_type=P num_elts=8
.decl A0 v_type=A num_elts=2`;

const inKernel = (body: string): string => `.version 3.8\n.kernel "k"\n${declarations}\n${body}\n`;

function codesOf(text: string, platform = "DG2"): string[] {
  const { value, diagnostics } = loadVisa(new Source("t.visaasm", text), {
    platform: platformNamed(platform) ?? usual,
  });
  return [...diagnostics, ...(value?.lint() ?? [])].map(({ code }) => code);
}

/** A line of a kernel that is wrong in one way, by the code that says so. */
const wrong: readonly (readonly [string, string, string?])[] = [
  ["PTX8001", "    add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d # one"],
  ["PTX8002", "    add (M1, 8) X(0,0)<1>, Y(0,0)<8;8,1>, 1:d"],
  ["PTX8002", "    add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1"],
  ["PTX8002", "}"],
  ["PTX8002", "{"],
  ["PTX8002", "    mov (M1, 8) X(Y)<1> Y(0,0)<8;8,1>"],
  ["PTX8002", "    raw_send (M1, 8) 0x100000000 1 1 0x0:ud X.0 X.0"],
  ["PTX8002", "    media_ld.nomod (8, (4, 2)) T6 0 0x0:ud 0x0:ud X.0"],
  ["PTX8003", ".version 3.8"],
  ["PTX8005", "/* never closed"],
  ["PTX8101", ".decl X v_type=G type=f num_elts=8"],
  ["PTX8101", "L:\nL:"],
  ["PTX8102", "    add (M1, 8) X(0,0)<1> Nobody(0,0)<8;8,1> 1:d"],
  ["PTX8102", "    jmp (M1, 1) nowhere"],
  ["PTX8102", "    call (M1, 8) nowhere"],
  ["PTX8103", "    add (M1, 8) P1(0,0)<1> X(0,0)<8;8,1> 1:d"],
  ["PTX8104", ".decl P2 v_type=P num_elts=3"],
  ["PTX8104", ".decl Z v_type=G type=bool num_elts=3"],
  ["PTX8105", ".decl Z v_type=G type=w num_elts=4 alias=<X, 64>"],
  ["PTX8105", ".decl Z v_type=G type=d num_elts=4 alias=<%thread_y, 0>"],
  ["PTX8106", ".input X offset=32 size=100"],
  ["PTX8107", ".decl add v_type=G type=d num_elts=8"],
  ["PTX8201", "    add.eq (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d"],
  ["PTX8201", "    nonsense (M1, 8) X(0,0)<1>"],
  ["PTX8201", "    mad.sat (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> Y(0,0)<8;8,1> 1:d"],
  ["PTX8202", "    add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1>"],
  ["PTX8202", "    add (M1, 8) X(0,0)<1> P1 1:d"],
  ["PTX8203", "    add (M1, 8) F(0,0)<1> F(0,0)<8;8,1> 1:d"],
  ["PTX8204", "    add (M2, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d"],
  ["PTX8204", "    add (M9, 4) X(0,0)<1> Y(0,0)<4;4,1> 1:d"],
  ["PTX8204", "    add (M1, 3) X(0,0)<1> Y(0,0)<1;1,0> 1:d"],
  ["PTX8205", "    add (M1, 8) X(0,0)<1> Y(0,0)<16;16,1> 1:d"],
  ["PTX8205", "    add (M1, 8) X(0,0)<8> Y(0,0)<8;8,1> 1:d"],
  ["PTX8206", "    add (M1, 8) X(0,0)<1> (~)Y(0,0)<8;8,1> 1:d"],
  ["PTX8207", "    add (M1, 8) H(0,0)<1> H(0,0)<8;8,1> 1.0:hf"],
  ["PTX8208", "    add (M1, 8) %r0(0,0)<1> X(0,0)<8;8,1> 1:d"],
  ["PTX8209", ".decl Z v_type=G type=bf num_elts=8", "TGLLP"],
  ["PTX8209", "    add (M1, 4) F(0,0)<1> F(0,0)<4;4,1> 0x30201000:vf", "XE2"],
  ["PTX8104", ".decl Z v_type=G type=d num_elts=8 attrs={Foo}"],
];

/** What passes with a warning. */
const odd: readonly (readonly [string, string])[] = [
  ["PTX8301", "    add (M1, 8) F(0,0)<1> F(0,0)<8;8,1> 1:f"],
  ["PTX8302", "    add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 99999999999:d"],
  ["PTX8303", "    add (M1, 8) F(0,0)<1> H(0,0)<8;8,1> F(0,0)<8;8,1>"],
  ["PTX8304", "    add (M1, 8) X(0,0)<1> Y(1,4)<8;8,1> 1:d"],
  ["PTX8305", ".kernel_attr Foo=1"],
  ["PTX8306", "    add (M1, 8) X(0,0)<1> r[A0(0),512]<8;8,1>:d 1:d"],
  ["PTX8308", ".decl W16 v_type=G type=w num_elts=16\n    mov (M1, 16) W16(0,0)<1> 0x76543210:v"],
  ["PTX8309", ".decl P9 v_type=P num_elts=16\n    (P9.any) add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 1:d"],
  ["PTX8310", ".decl Q8 v_type=G type=q num_elts=8\n    add (M1, 8) Q8(0,0)<1> (-)X(0,0)<8;8,1> 1:d"],
];

describe("what is wrong with a kernel", () => {
  it.each(wrong)("%s: %s", (code, line, platform) => {
    expect(codesOf(inKernel(line ?? ""), platform)).toContain(code);
  });

  it.each(odd)("%s: %s", (code, line) => {
    expect(codesOf(inKernel(line))).toEqual([code]);
  });

  it("says that the file does not begin with its version, or has no kernel", () => {
    expect(codesOf('.kernel "k"\n    ret (M1, 1)\n')).toEqual(["PTX8003"]);
    expect(codesOf(".version 3.8\n    ret (M1, 1)\n")).toEqual(["PTX8004"]);
    expect(codesOf(".version 3.8\n")).toEqual(["PTX8004"]);
  });

  it("notes what a snippet leaves open", () => {
    expect(codesOf("add (M1, 8) U(0,0)<1> U(0,0)<8;8,1> U(0,0)<8;8,1>")).toEqual(["PTX8307"]);
    expect(codesOf("add (M1, 8) U(0,0)<1> U(0,0)<8;8,1> 1.0:f")).toEqual([]);
  });

  it("takes 0x1:f for the bits, as compilers mean it", () =>
    expect(codesOf(inKernel("    add (M1, 8) F(0,0)<1> F(0,0)<8;8,1> 0x1:f"))).toEqual([]));

  it("finds nothing wrong with the declarations alone", () => expect(codesOf(inKernel("    ret (M1, 1)"))).toEqual([]));

  it("has a test for each code of texts", () => {
    const tested = new Set([...wrong, ...odd].map(([code]) => code));
    const all = [...codes.keys()].filter((code) => /^PTX8[0-3]/.test(code));
    expect(all.filter((code) => !tested.has(code))).toEqual(["PTX8004", "PTX8307"]);
  });
});

describe("texts that nobody meant", () => {
  /** xorshift32: the same texts on every machine. */
  function* random(seed: number): Generator<number, never> {
    let x = seed;
    for (;;) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      yield x >>> 0;
    }
  }

  it("are refused or read, and never throw", () => {
    const draw = random(7);
    const next = (below: number): number => draw.next().value % below;
    const text = inKernel("    (!P1.any) add.sat (M3_NM, 8) X(0,0)<1> (-)Y(0,0)<8;8,1> 0x1:d\nL:\n    goto (M1, 8) L");
    const letters = [...new Set(text), "\0", '"', "\\", "€", "9999999999999999999"];
    for (let at = 0; at < draws(150, 2000); at++) {
      const from = next(text.length);
      const cut = text.slice(0, from) + (letters[next(letters.length)] ?? "") + text.slice(from + next(12));
      const source = new Source("mutant", cut);
      const { diagnostics, value } = loadVisa(source);
      const all = [...diagnostics, ...(value?.lint() ?? [])];
      expect(all.every(({ span }) => span.start <= span.end && span.end <= cut.length + 1)).toBe(true);
    }
  });

  it.each(["(", "{", "~", "-", "/*", "a$"])("are read in linear time: %s", async (part) => {
    const read = (count: number) =>
      expect(codesOf(inKernel(`    add (M1, 8) X(0,0)<1> ${part.repeat(count)}1:d`)).length).toBeGreaterThan(0);
    expect(await growth(read, [2000, 20_000])).toBeLessThan(LINEAR);
  });
});

it("results of functions are as many registers on all platforms", () => {
  const body = ".decl R v_type=G type=d num_elts=192 alias=<%retval, 0>\n    mov (M1_NM, 1) R(11,7)<1> 1:d";
  expect(codesOf(inKernel(body), "DG2")).toEqual([]);
  expect(codesOf(inKernel(body), "XE2")).toEqual([]);
  const further = body.replace("R(11,7)", "R(12,0)");
  expect(codesOf(inKernel(further), "DG2")).toEqual(["PTX8304"]);
  expect(codesOf(inKernel(further), "XE2")).toEqual(["PTX8304"]);
});
