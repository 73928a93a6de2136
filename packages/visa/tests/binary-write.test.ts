import { describe, expect, it } from "vitest";
import { Source } from "../../../src/source/index.ts";
import { readObject } from "../src/binary/read.ts";
import { objectVersion } from "../src/binary/version.ts";
import { writeObject } from "../src/binary/write.ts";
import { parseVisa } from "../src/text/parse.ts";
import { printFile } from "../src/text/print.ts";

function write(text: string, version = "4.1") {
  const source = new Source("<test>", text);
  const file = parseVisa(source);
  expect(file.diagnostics).toEqual([]);
  return writeObject(file.value, source, objectVersion(version));
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("hex");

const declarations = `.version 4.1
.kernel "k"
.decl X v_type=G type=d num_elts=64 align=GRF
.decl Y v_type=G type=d num_elts=64 align=GRF
.decl W v_type=G type=uw num_elts=64 align=GRF
.decl P1 v_type=P num_elts=32
.decl P2 v_type=P num_elts=32
.decl A0 v_type=A num_elts=16
.decl T6 v_type=T num_elts=4
`;

/** The code of statements, behind those declarations; it stands at the end of an object. */
function codeOf(text: string): string {
  const { value, diagnostics } = write(`${declarations}${text}\n    ret (M1, 1)\n`);
  expect(diagnostics).toEqual([]);
  const all = hex(value);
  const none = hex(write(`${declarations}    ret (M1, 1)\n`).value);
  // Without names and labels of its own a text adds its code and nothing else.
  return all.slice(none.length - 8, -8);
}

// Numbers: X 32, Y 33, W 34 (0x20 to 0x22); P1 1, P2 2; A0 0; T6 6. <8;8,1> is 55 02, <0;1,0> is 21 01, <1> is 00 02.
const x = "0020000000" + "0000" + "0002";
const x8 = "0020000000" + "0000" + "5502";
const y8 = "0021000000" + "0000" + "5502";
const x0 = "0020000000" + "0000" + "2101";

it("a subroutine that begins with a label of its own name has one label", () => {
  const { value, diagnostics } = write(`${declarations}.function "_main_0"\n_main_0:\n    ret (M1, 1)\n`);
  expect(diagnostics).toEqual([]);
  expect(hex(value)).toBe(hex(write(`${declarations}.function "_main_0"\n    ret (M1, 1)\n`).value));
});

describe("the code of an instruction (the manual's formats)", () => {
  it.each([
    ["add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>", `01030000${x}${x8}${y8}`],
    [
      "(!P1.any) add.sat (M3_NM, 8) X(0,0)<1> (-)X(0,0)<8;8,1> (-abs)Y(0,0)<8;8,1>",
      `01a301a02${x.slice(1)}1${x8.slice(1)}18${y8.slice(2)}`,
    ],
    ["avg (M8, 1) X(0,0)<1> X(0,0)<0;1,0> 0x1:w", `02700000${x}${x0}050301000000`],
    ["mad (M1, 8) X(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1> 0x7:b", `0c030000${x}${x8}${y8}050507000000`],
    ["mul (M5, 16) X(0,0)<1> X(0,0)<8;8,1> 0x3ff0000000000000:df", `10440000${x}${x8}0506000000000000f03f`],
    ["and (M1, 32) P2 P1 !P1", "20050000" + "020200" + "020100" + "020180"],
    ["or (M1, 8) X(0,0)<1> (~)X(0,0)<8;8,1> Y(0,0)<8;8,1>", `21030000${x}28${x8.slice(2)}${y8}`],
    ["xor (M1, 8) X(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>", `22030000${x}${x8}${y8}`],
    ["not (M1, 8) X(0,0)<1> X(0,0)<8;8,1>", `23030000${x}${x8}`],
    ["shl (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 0x1:d", `24030000${x}${x8}050101000000`],
    ["shr (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 0x1:d", `25030000${x}${x8}050101000000`],
    ["asr (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 0x1:d", `26030000${x}${x8}050101000000`],
    ["addr_add (M1, 4) A0(3)<4> A0(0)<1> 0x20:uw", "2802" + "0100000302" + "0100000000" + "050220000000"],
    // 70 bytes into words are row 2, column 3.
    [
      "addr_add (M1, 1) A0(0)<1> &W[70] 0x0:uw",
      "2800" + "0100000000" + "0022000000" + "0203" + "2101" + "050200000000",
    ],
    ["addr_add (M1, 1) A0(0)<1> &T6[8] 0x0:uw", "2800" + "0100000000" + "0600060002" + "050200000000"],
    ["mov (M1, 1) X(0,0)<1> P1", `29000000${x}020100`],
    ["(P1) sel (M1, 8) X(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>", `2a030100${x}${x8}${y8}`],
    ["setp (M1_NM, 16) P2 0xff:uw", "2b84" + "020200" + "0502ff000000"],
    ["cmp.ge (M1, 8) P1 X(0,0)<8;8,1> Y(0,0)<8;8,1>", `2c0303020100${x8}${y8}`],
    ["cmp.ne (M1, 8) X(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>", `2c0301${x}${x8}${y8}`],
    ["sbarrier.signal", "7c01"],
    ["sbarrier.wait", "7c00"],
    ["svm_block_ld (4) 0x10:uq X.32", `4e0102${"050b1000000000000000"}${"20000000" + "2000"}`],
    ["svm_block_ld.unaligned (1) 0x10:uq X.0", `4e0108${"050b1000000000000000"}${"20000000" + "0000"}`],
    [
      "gather4_typed.RG (M1, 8) T6 X.0 X.32 %null.0 %null.0 Y.0",
      `4b03000003${"06"}${"20000000" + "0000"}${"20000000" + "2000"}${"0000000000000000000000".padEnd(24, "0")}${"21000000" + "0000"}`,
    ],
    ["min (M1, 8) X(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>", `450300${x}${x8}${y8}`],
    ["max.sat (M1, 8) X(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>", `450301${`2${x.slice(1)}`}${x8}${y8}`],
    [
      "addc (M1, 8) X(0,0)<1> Y(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>",
      `49030000${x}${"0021000000" + "0000" + "0002"}${x8}${y8}`,
    ],
    [
      "subb (M1, 8) X(0,0)<1> Y(0,0)<1> X(0,0)<8;8,1> Y(0,0)<8;8,1>",
      `4a030000${x}${"0021000000" + "0000" + "0002"}${x8}${y8}`,
    ],
    ["mov (M1, 8) r[A0(2),-16]<2>:uw r[A0(1),32767]<4,1>:q", "29030000" + "03000002f0ff020003" + "03000001ff7f0d4002"],
    ["LOC 7", "5207000000"],
    ["lifetime.end P2", "7b2102000000"],
    ["lifetime.start Y", "7b0021000000"],
  ])("%s", (text, code) => {
    expect(codeOf(`    ${text}`)).toBe(code.toLowerCase());
    const { value } = write(`${declarations}    ${text}\n    ret (M1, 1)\n`);
    const read = readObject("<test>", value ?? new Uint8Array());
    expect(read.diagnostics).toEqual([]);
    expect(read.value && printFile(read.value)).toContain(`\n    ${text}\n`);
  });

  it("names labels by their numbers", () => {
    const { value } = write(
      `${declarations}back:\n    goto (M1, 16) on\n    (P1) jmp (M1, 1) back\non:\n    ret (M1, 1)\n`,
    );
    expect(hex(value).endsWith("310000" + "6c0400000100" + "320001000000" + "310100" + "34000000")).toBe(true);
  });
});

describe("a file", () => {
  const text = `.version 4.1
.kernel "one"
.decl X v_type=G type=d num_elts=8 align=GRF
.input X offset=32 size=32
.kernel_attr SimdSize=16
    add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 0x1:d
    ret (M1, 1)
.kernel "two"
.kernel_attr Target="3d"
loop:
    jmp (M1, 1) loop
.global_function "three"
.kernel_attr ArgSize=2
.kernel_attr RetValSize=1
    ret (M1, 1)
`;

  it.each(["3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4.0", "4.1"])(
    "of several kernels goes through version %s",
    (version) => {
      const { value, diagnostics } = write(text, version);
      expect(diagnostics).toEqual([]);
      const read = readObject("<test>", value ?? new Uint8Array());
      expect(read.diagnostics).toEqual([]);
      expect(read.value && printFile(read.value)).toBe(text.replace("4.1", version));
    },
  );

  it("has shorter counts in older versions", () => {
    // Two kernels and a function: names take a byte less each before 3.7; inputs 3 bytes less for each kernel before 3.5.
    const lengths = ["3.4", "3.5", "3.6", "3.7", "4.1"].map((version) => write(text, version).value?.length ?? 0);
    const [oldest = 0] = lengths;
    expect(lengths.map((length) => length - oldest)).toEqual([0, 6, 6, 9, 9]);
  });

  it("says where the inputs of a kernel are", () => {
    const bytes = write(text).value ?? new Uint8Array();
    // Behind "CISA", the version, the count, the name of 3 and two fields.
    const at = new DataView(bytes.buffer).getUint32(8 + 5 + 8, true);
    // One input: general, variable 32, at 32, 32 bytes.
    expect(hex(bytes.subarray(at, at + 13))).toBe("01000000" + "00" + "20000000" + "2000" + "2000");
  });

  it("has no scopes: an inner variable gets a number of its own", () => {
    const { value, diagnostics } = write(`.version 4.1
.kernel "k"
.decl X v_type=G type=d num_elts=8 align=GRF
{
.decl X v_type=G type=f num_elts=8 align=GRF
    mov (M1, 8) X(0,0)<1> 0x0:f
}
    mov (M1, 8) X(0,0)<1> 0x0:d
`);
    expect(diagnostics).toEqual([]);
    const read = readObject("<test>", value ?? new Uint8Array());
    expect(read.diagnostics.map(({ code }) => code)).toEqual(["PTX8509"]);
    expect(read.value && printFile(read.value)).toBe(`.version 4.1
.kernel "k"
.decl X v_type=G type=d num_elts=8 align=GRF
.decl V33 v_type=G type=f num_elts=8 align=GRF
    mov (M1, 8) V33(0,0)<1> 0x0:f
    mov (M1, 8) X(0,0)<1> 0x0:d
`);
  });
});

describe("what has no binary form", () => {
  it.each([
    ["dpas (M1, 8) X(0,0)<1>", "PTX8521", "dpas has no binary form here"],
    ["add.lt (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 0x1:d", "PTX8521", "add takes no .lt"],
    ["and.sat (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 0x1:d", "PTX8521", "and takes no .sat"],
    ["cmp (M1, 8) P1 X(0,0)<8;8,1> 0x1:d", "PTX8521", "cmp compares how?"],
    ["(P1) setp (M1, 8) P2 0x1:uw", "PTX8521", "setp takes no predicate"],
    ["add (M1, 3) X(0,0)<1> X(0,0)<8;8,1> 0x1:d", "PTX8521", "invalid execution size 3"],
    ["add (M1, 8) X(0,0)<3> X(0,0)<8;8,1> 0x1:d", "PTX8521", "not a valid region"],
    ["add (M1, 8) X(0,0)<1> X(0,0)<8;8,1>", "PTX8521", "add has more operands"],
    ["ret (M1, 1) X(0,0)<1>", "PTX8521", "ret has no such operand"],
    ["add (M1, 8) P1 X(0,0)<8;8,1> 0x1:d", "PTX8521", "add takes no predicate operand here"],
    ["add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> r[A0(0),40000]<1>:d", "PTX8521", "an offset of 40000"],
    ["addr_add (M1, 1) A0(0)<1> &X[2] 0x0:uw", "PTX8521", "no element begins 2 bytes into X"],
    ["jmp (M1, 1) nowhere", "PTX8102", "there is no label nowhere"],
    ["jmp (M1, 1) 0x1:d", "PTX8521", "jmp goes to a label"],
    ["add (M1, 8) Nobody(0,0)<1> X(0,0)<8;8,1> 0x1:d", "PTX8102", "Nobody is not declared"],
    ["add (M1, 8) P1(0,0)<1> X(0,0)<8;8,1> 0x1:d", "PTX8103", "P1 is of kind predicate"],
    [".input V7 offset=0 size=32", "PTX8103", "V7 is predefined"],
    [".decl X v_type=G type=d num_elts=8", "PTX8101", "X is declared twice"],
    [".kernel_attr Long=4294967296", "PTX8521", "a value of an attribute of 4294967296"],
  ])("%s", (text, code, message) => {
    const { value, diagnostics } = write(`${declarations}${text.startsWith(".") ? "" : "    "}${text}\n`);
    expect(value).toBeUndefined();
    expect(diagnostics.map((each) => [each.code, each.message])).toEqual([[code, message]]);
  });

  it("is told for each statement", () => {
    const { diagnostics } = write(`${declarations}    dpas (M1, 8) X(0,0)<1>\n    send (M1, 8) X(0,0)<1>\nL:\nL:\n`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["PTX8521", "PTX8521", "PTX8101"]);
  });

  it("is a kernel's name beyond 255 bytes before 3.7", () => {
    const long = `.version 3.6\n.kernel "${"n".repeat(256)}"\n    ret (M1, 1)\n`;
    expect(write(long, "3.7").diagnostics).toEqual([]);
    expect(write(long, "3.6").diagnostics.map(({ code, expected }) => [code, expected])).toEqual([
      ["PTX8521", "at most 255"],
    ]);
  });

  it("is a Target of another name: read again it would be a number", () => {
    const targeted = (value: string) =>
      write(`.version 4.1\n.kernel "k"\n.kernel_attr Target=${value}\n    ret (M1, 1)\n`);
    for (const value of ['"cm"', '"3d"', "1"]) expect(targeted(value).diagnostics).toEqual([]);
    expect(targeted('"M1"').diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["PTX8521", "invalid Target M1"],
    ]);
  });
});
