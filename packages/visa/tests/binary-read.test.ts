import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Source } from "../../../src/source/index.ts";
import { draws } from "../../../tests/share.ts";
import { readObject } from "../src/binary/read.ts";
import { writeObject } from "../src/binary/write.ts";
import { isObject } from "../src/recognise.ts";
import { parseVisa } from "../src/text/parse.ts";
import { printFile } from "../src/text/print.ts";

const demo = new Uint8Array(readFileSync(new URL("../../../tests/data/visa/demo.isa", import.meta.url)));

/** demo.isa with some bytes replaced. */
function patched(...patches: (readonly [at: number, ...bytes: number[]])[]): Uint8Array {
  const bytes = demo.slice();
  for (const [at, ...values] of patches) bytes.set(values, at);
  return bytes;
}

const codesOf = (bytes: Uint8Array): string[] => readObject("x.isa", bytes).diagnostics.map(({ code }) => code);

// Offsets in demo.isa: the version at 4, the kernel's offset, size and inputs at 14, the counts of GPU binaries, file
// variables and functions at 30, 31 and 33, the object at 35 with its name at 63, the first variable at 71, the address
// at 118, the predicate at 127, samplers to VME at 136, inputs at 139, the code's size at 143 and offset at 147, its
// attributes at 151, the code at 153.
describe("reading what is wrong", () => {
  it("says of an object that Intel's compiler has dumped where to look instead", () => {
    const bytes = readFileSync(new URL("../../../tests/data/visa/ocloc-call.isa", import.meta.url));
    const { value, diagnostics } = readObject("dump.isa", bytes);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        code: "PTX8504",
        message: "there is no variable 128, at byte 1254",
        help: [{ message: /the \.visaasm beside it/ }],
      },
    ]);
  });

  it("knows an object by its first bytes", () => {
    expect(isObject(demo)).toBe(true);
    expect(isObject(new TextEncoder().encode(".version 3.8"))).toBe(false);
  });

  it.each<[string, string, readonly [number, ...number[]]]>([
    ["the magic number", "PTX8501", [0, 0]],
    ["version 3.3", "PTX8502", [4, 3, 3]],
    ["version 4.2", "PTX8502", [5, 2]],
    ["the length of a name", "PTX8503", [8, 0xff]],
    ["a count of strings", "PTX8503", [35, 0xff, 0xff, 0xff, 0xff]],
    ["the name of the kernel", "PTX8504", [63, 7]],
    ["the name of a variable", "PTX8504", [71, 9]],
    ["the root of an alias", "PTX8504", [78, 35]],
    ["the guard", "PTX8504", [155, 2]],
    ["an input that is predefined", "PTX8504", [139, 1, 0, 0, 0, 0, 7]],
    ["the variable of the destination", "PTX8504", [158, 35]],
    ["a kernel behind the file", "PTX8505", [14, 36]],
    ["a kernel in the header", "PTX8505", [14, 34]],
    ["a kernel larger than the file", "PTX8505", [18, 0xff, 0xff, 0xff, 0xff]],
    ["code in front of the tables", "PTX8505", [147, 1]],
    ["code larger than its kernel", "PTX8505", [143, 0x21]],
    ["a type without elements", "PTX8506", [75, 0x58]],
    ["an alignment", "PTX8506", [75, 0xa7]],
    ["an alias of nothing at 1", "PTX8506", [82, 1]],
    ["an execution size", "PTX8506", [154, 6]],
    ["a reserved bit of the guard", "PTX8506", [156, 0xd0]],
    ["no such combination", "PTX8506", [156, 0xe0]],
    ["the class of an operand", "PTX8506", [157, 7]],
    ["the modifier of the destination", "PTX8506", [157, 8]],
    ["the region of the destination", "PTX8506", [164, 0, 8]],
    ["the modifier of a source", "PTX8506", [166, 0x20]],
    ["the region of a source", "PTX8506", [173, 0x50]],
    ["an immediate that takes no modifier", "PTX8506", [175, 0x15]],
    ["an immediate of type bf", "PTX8506", [176, 15]],
    ["an opcode", "PTX8507", [181, 0x37]],
    ["a kind of message", "PTX8507", [181, 0x4e]],
    ["a file variable", "PTX8508", [31, 1]],
    ["a relocation", "PTX8508", [26, 1]],
    ["an alias of a file variable", "PTX8508", [84, 1]],
    ["a VME variable", "PTX8508", [138, 1]],
  ])("says so: %s", (_, code, patch) => {
    const { value, diagnostics } = readObject("x.isa", patched(patch));
    expect(value).toBeUndefined();
    expect(diagnostics.map((each) => [each.code, each.severity])).toEqual([[code, "error"]]);
  });

  it("says where, in bytes", () => {
    const [diagnostic] = readObject("x.isa", patched([154, 6])).diagnostics;
    expect(diagnostic?.message).toBe("invalid execution size 6, at byte 154");
    expect(diagnostic?.span).toEqual({ start: 154, end: 155 });
    expect(diagnostic?.source.name).toBe("x.isa");
  });

  it("reads nothing from a file that is cut off anywhere", () => {
    for (let length = 0; length < demo.length; length++)
      expect(codesOf(demo.slice(0, length)), String(length)).toEqual([
        length < 4 ? "PTX8501" : length < 35 ? "PTX8503" : "PTX8505",
      ]);
  });

  it("does not let kernels share their bytes", () => {
    // Two headers, both with the object that now begins 23 bytes later; the second one could begin behind it.
    const entry = [...demo.slice(8, 14), 58, ...demo.slice(15, 31)];
    const head = [...demo.slice(0, 6), 2, 0, ...entry, ...entry, 0, 0, 0, 0];
    expect(codesOf(Uint8Array.from([...head, ...demo.slice(35), ...demo.slice(35)]))).toEqual(["PTX8505"]);
    head[37] = 58 + 150;
    expect(codesOf(Uint8Array.from([...head, ...demo.slice(35), ...demo.slice(35)]))).toEqual([]);
  });
});

describe("a huge object", () => {
  it("of empty strings is refused when there are too many", () => {
    const bytes = new Uint8Array(1_100_000);
    bytes.set(demo.slice(0, 35));
    bytes.set([0xff, 0xff, 0xff, 0xff], 35);
    new DataView(bytes.buffer).setUint32(18, bytes.length - 35, true);
    expect(codesOf(bytes)).toEqual(["PTX6102"]);
  });

  /** demo.isa with this many ret instead of its code. */
  function returns(count: number): Uint8Array {
    const bytes = new Uint8Array(153 + 4 * count);
    bytes.set(demo.subarray(0, 153));
    const view = new DataView(bytes.buffer);
    view.setUint32(18, bytes.length - 35, true);
    view.setUint32(143, bytes.length - 153, true);
    for (let at = 153; at < bytes.length; at += 4) view.setUint32(at, 0x34, true);
    return bytes;
  }

  it("of nothing but ret is read up to the limit", () => {
    const { value, diagnostics } = readObject("x.isa", returns(400_000));
    expect(diagnostics).toEqual([]);
    expect(value?.kernels[0]?.statements.length).toBe(400_005);
    expect(codesOf(returns(1_000_000))).toEqual(["PTX6102"]);
  });
});

describe("names that text cannot say", () => {
  const first = (bytes: Uint8Array) => {
    const { value, diagnostics } = readObject("x.isa", bytes);
    return [value === undefined ? "" : printFile(value).split("\n")[2], diagnostics.map(({ code }) => code)];
  };

  it("are replaced by the variable's number, with a note", () => {
    // V32 becomes "+32", then "add", then V33 like the next one, then nothing.
    expect(first(patched([45, 0x2b]))).toEqual([".decl V32 v_type=G type=f num_elts=16 align=GRF", ["PTX8509"]]);
    expect(first(patched([45, 0x61, 0x64, 0x64]))).toEqual([
      ".decl V32 v_type=G type=f num_elts=16 align=GRF",
      ["PTX8509"],
    ]);
    expect(first(patched([45, 0x56, 0x37, 0x00]))[1]).not.toEqual([]);
    expect(first(patched([71, 0]))).toEqual([".decl V32 v_type=G type=f num_elts=16 align=GRF", []]);
  });

  it("stay different when two variables have the same", () => {
    const { value, diagnostics } = readObject("x.isa", patched([86, 2]));
    expect(diagnostics.map(({ code }) => code)).toEqual(["PTX8509"]);
    expect(value?.kernels[0]?.statements.slice(0, 2).map((each) => "name" in each && each.name.text)).toEqual([
      "V32",
      "V33",
    ]);
  });
});

describe("random bytes", () => {
  /** Marsaglia's xorshift: the same bytes on every machine. */
  function generator(seed: number): () => number {
    let state = seed;
    return () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    };
  }

  const text = `.version 4.1
.kernel "big"
.decl X v_type=G type=d num_elts=64 align=GRF
.decl Y v_type=G type=ud num_elts=64 align=GRF alias=<X, 0> attrs={Output}
.decl P1 v_type=P num_elts=32
.decl A0 v_type=A num_elts=16
.decl S0 v_type=S num_elts=1
.decl T6 v_type=T num_elts=1
.input X offset=32 size=256
.kernel_attr SLMSize=4
.kernel_attr OutputAsmPath="here"
    FILE "a.cm"
    LOC 7
    addr_add (M1, 1) A0(0)<1> &X[32] 0x10:uw
    cmp.lt (M1, 16) P1 X(0,0)<8;8,1> 0x5:d
loop:
    (P1) add.sat (M1, 16) X(0,0)<1> (-)Y(1,0)<8;8,1> r[A0(0),-16]<8,1>:d
    min (M1_NM, 4) X(1,0)<2> 0x1:q Y(0,3)<0;1,0>
    and (M1, 32) P1 P1 !P1
    (!P1.any) goto (M1, 16) loop
    lifetime.end X
    ret (M1, 1)
`;
  const source = new Source("big", text);
  const big = writeObject(parseVisa(source).value, source).value ?? new Uint8Array();

  it("begin from an object that is whole", () => {
    const { value, diagnostics } = readObject("big.isa", big);
    expect(diagnostics).toEqual([]);
    expect(value && printFile(value)).toBe(text);
  });

  /** Whatever is read goes to text, and from there to an object that says the same. */
  function hold(bytes: Uint8Array): "read" | "refused" {
    const { value, diagnostics } = readObject("x.isa", bytes);
    if (value === undefined) {
      expect(diagnostics.map(({ severity }) => severity)).toEqual(["error"]);
      return "refused";
    }
    const printed = printFile(value);
    const again = new Source("x", printed);
    const parsed = parseVisa(again);
    expect(parsed.diagnostics, printed).toEqual([]);
    const written = writeObject(parsed.value, again, value.version);
    expect(written.diagnostics, printed).toEqual([]);
    const read = readObject("x.isa", written.value ?? new Uint8Array());
    expect(read.value && printFile(read.value)).toBe(printed);
    return "read";
  }

  it("make thousands of changed objects that are read or refused", () => {
    const next = generator(2026);
    const ends = { read: 0, refused: 0 };
    for (let at = 0; at < draws(1000, 5000); at++) {
      const bytes = (at % 2 === 0 ? demo : big).slice();
      for (let change = next() % 4; change >= 0; change--)
        bytes[next() % bytes.length] = interesting[next() % 8] ?? next();
      const cut = next() % 8 === 0 ? bytes.slice(0, next() % bytes.length) : bytes;
      ends[hold(cut)] += 1;
    }
    expect(ends.read).toBeGreaterThan(draws(50, 250));
    expect(ends.refused).toBeGreaterThan(draws(500, 2500));
  });
  /** Every other change is to a value at an edge. */
  const interesting = [0, 1, 0xff, 0x80];

  it("make 100 files that are refused", () => {
    const next = generator(7);
    for (let at = 0; at < 100; at++) {
      const bytes = Uint8Array.from({ length: next() % 2000 }, () => next());
      // Half of them get past the header's first fields.
      if (at % 2 === 0 && bytes.length > 8) bytes.set([0x43, 0x49, 0x53, 0x41, 4, 1, 1, 0]);
      expect(hold(bytes)).toBe("refused");
    }
  });
});
