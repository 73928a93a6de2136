import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cost } from "../../../tests/cost.ts";
import { demangle } from "../src/demangle.ts";
import { shortName, withShortNames } from "../src/short.ts";
import { spelled } from "../src/spelled.ts";

/** Mangled names and what GNU's c++filt 2.40 says of them; where it gives a name back, it is none. */
const table = readFileSync(resolve(import.meta.dirname, "../../../tests/data/mangled.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line): [string, string] => {
    const [mangled = "", text = ""] = line.split("\t");
    return [mangled, text];
  });

describe("demangle", () => {
  it("says what c++filt says", () => {
    expect(table.length).toBeGreaterThan(400);
    const wrong = table.filter(([mangled, text]) => (demangle(mangled)?.full ?? mangled) !== text);
    expect(wrong.map(([mangled, text]) => [mangled, text, demangle(mangled)?.full])).toEqual([]);
  });

  it("tells the name from what is taken and returned", () => {
    expect(demangle("_Z6matmulIfEvPT_i")).toEqual({
      full: "void matmul<float>(float*, int)",
      name: "matmul<float>",
      signature: "matmul<float>(float*, int)",
    });
    expect(demangle("_ZN1AcvT_IiEEv")?.name).toBe("A::operator int<int>");
    expect(demangle("_RNvC6_123foo3bar")?.name).toBe("123foo::bar");
  });

  it("knows names of Numba, with tags for the library and its options", () => {
    const name =
      "_ZN8__main__3addB2v1B94cw51cXTLSUwv1sCUt9Uw1VEw0NRRQPKzLTg4gaGKFsG2oMQGEYakJSQB1PQBk0Bynm21OiwU1a0UoLGhDpQE8oxrNQE_3dE5ArrayIfLi1E1C7mutable7alignedES2_S2_";
    expect(demangle(name)?.signature).toMatch(
      /^__main__::add\[abi:v1\]\[abi:cw\w+\]\(Array<float, 1, C, mutable, aligned>, /,
    );
    expect(shortName(name)).toBe("__main__::add(...)");
  });

  it.each([
    ["not mangled", "axpy"],
    ["cut off", "_Z6matmulIfEvPT"],
    ["with more behind it", "_Z1fi)"],
    ["a reference to nothing", "_Z1fS3_"],
    ["a parameter of no template", "_Z1fT_"],
    ["a length past the end", "_Z999999f"],
    ["a length past all numbers", `_Z${"9".repeat(40)}f`],
    ["a Rust name that refers to itself", "_RB_"],
    ["empty", "_Z"],
  ])("gives up on what is no name: %s", (_, text) => {
    expect(demangle(text)).toBeUndefined();
    expect(shortName(text)).toBe(text);
  });

  it("ends at once where a name stands for more than memory holds", async () => {
    // Each pair doubles what the one before stands for.
    const doubled = (pairs: number): string => {
      let text = "_Z1f1A";
      for (let at = 0; at < pairs; at++) text += `1BIS${at === 0 ? "" : (2 * at - 1).toString(36).toUpperCase()}_S_E`;
      return text;
    };
    // An empty pack takes back what was written around it, twice as often at each level.
    let empty = "_Z1fIJEEvDp1AIT_E";
    for (let level = 0; level < 60; level++) {
      const before = `S${(3 + 4 * level).toString(36).toUpperCase()}_`;
      empty += `Dp1BI${before}${before}T_E`;
    }
    const bombs = [
      empty,
      doubled(200),
      `_Z1f${"P".repeat(16_000)}i`,
      `_Z1f${"N1A".repeat(4000)}E`,
      `_Z1fIJ${"J".repeat(5000)}${"E".repeat(5000)}EEvDpT_`,
      `_Z1fI${"J".repeat(100)}${"E".repeat(100)}Evv`,
      `_Z${"1f".repeat(8000)}`,
      `_Z1f${"X".repeat(16_000)}`,
      `_Z1fIX${"cvi".repeat(5000)}`,
      `_Z1fIX${"sr1A".repeat(3000)}`,
      `_Z1fI${"Xsr1AI".repeat(60)}`,
      `_R${"NvC1a".repeat(3000)}1b`,
      `_RINvC1a1b${"RB3_".repeat(3000)}E`,
      `_RINvC1a1b${"T".repeat(7000)}`,
      `_RYFG${"z".repeat(100)}_EuNtC1a1b`,
      `_Z1fILi${"9".repeat(15_000)}EEvv`,
      `_ZN${"1a".repeat(5000)}17h0123456789abcdefE`,
      "_Z".repeat(500_000),
    ];
    const all = () => {
      for (const bomb of bombs) expect((demangle(bomb)?.full ?? "").length).toBeLessThan(20_000);
    };
    expect(await cost(all, 50)).toBeLessThan(50);
  });

  it("never throws, whatever is changed in a name", () => {
    const mutated = fc
      .tuple(fc.constantFrom(...table), fc.nat(), fc.nat(), fc.constantFrom(..."_STIEJXLNZDCFPRKMABGUlt0129avs$.", ""))
      .map(([[name], at, length, put]) => {
        const from = at % name.length;
        return name.slice(0, from) + put + name.slice(from + (length % 4));
      });
    fc.assert(
      fc.property(mutated, (name) => {
        const text = demangle(name);
        if (text !== undefined) shortName(name);
        return text === undefined || text.full.length < 20_000;
      }),
      { numRuns: 5000 },
    );
  });
});

describe("a name as it is declared", () => {
  it.each([
    ["square(int*, int)", "square", "square(int*, int)"],
    ["void matmul<float>(float*, int)", "matmul<float>", "matmul<float>(float*, int)"],
    ["unsigned long long ns::f<int (*)(int)>(int (*)(int)) const", "ns::f<int (*)(int)>", undefined],
    ["(anonymous namespace)::k(int)", "(anonymous namespace)::k", "(anonymous namespace)::k(int)"],
    ["int (anonymous namespace)::k<(E)1>(int)", "(anonymous namespace)::k<(E)1>", undefined],
    ["void A::operator()<int>(int)", "A::operator()<int>", "A::operator()<int>(int)"],
    ["bool operator< <int>(A<int>, int)", "operator< <int>", "operator< <int>(A<int>, int)"],
    ["std::ostream& operator<<(std::ostream&, int)", "operator<<", "operator<<(std::ostream&, int)"],
    ["A::operator unsigned int() const", "A::operator unsigned int", "A::operator unsigned int() const"],
    ["f(int)::{lambda(int)#1}::operator()(int) const", "f(int)::{lambda(int)#1}::operator()", undefined],
  ])("has parts: %s", (text, name, signature) => {
    expect(spelled(text)?.name).toBe(name);
    if (signature !== undefined) expect(spelled(text)?.signature).toBe(signature);
  });

  it("has the parts that its mangled name has", () => {
    const differ = table.filter(([mangled]) => {
      const parts = demangle(mangled);
      if (parts === undefined || /thunk|vtable|guard|\[clone|^typeinfo/.test(parts.full)) return false;
      if (parts.signature === parts.name) return false;
      return spelled(parts.full)?.name !== parts.name;
    });
    expect(differ.map(([mangled, text]) => [mangled, text, spelled(text)?.name])).toEqual([]);
  });
});

describe("a short name", () => {
  it.each([
    ["_Z6matmulIfEvPT_i", "matmul<float>(...)"],
    ["void matmul<float>(float*, int)", "matmul<float>(...)"],
    ["square(int*, int)", "square(...)"],
    ["_ZN2ns1kEv", "ns::k()"],
    ["saxpy", "saxpy"],
    ["_RNvNtC3foo3bar3baz", "foo::bar::baz"],
    ["_Z1kI1AIS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IS0_IiEEEEEEEEEEEEEEEEvT_", "k<A<A<A<...> > > >(...)"],
    ["__internal_sin_cosf", "__internal_sin_cosf"],
  ])("%s", (name, short) => {
    expect(shortName(name)).toBe(short);
  });

  it("is short, whatever the name is", () => {
    for (const [name] of table) if (demangle(name) !== undefined) expect(shortName(name).length).toBeLessThan(100);
  });

  it("stands in messages, with what PTX adds to a parameter's name", () => {
    expect(withShortNames("just past the end of _ZN2ns1kEPi_param_0 (16 bytes)")).toBe(
      "just past the end of ns::k(...)_param_0 (16 bytes)",
    );
    expect(withShortNames("_Z6matmulIfEvPT_i. _ZERO, _R, a_Z1fv")).toBe("matmul<float>(...). _ZERO, _R, a_Z1fv");
  });
});
