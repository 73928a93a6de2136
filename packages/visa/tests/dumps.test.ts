import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { Source } from "../../../src/source/source.ts";
import { share } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { parseVisa, printFile } from "../src/index.ts";
import { named } from "../src/isa/named.ts";

const world = new World();
afterAll(() => world.remove());

const folder = resolve(import.meta.dirname, "../../../tests/data/visa/opencl");
const dumps = readdirSync(folder).filter((name) => name.endsWith(".visaasm"));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Words of a line, numbers of immediates as they are printed. */
const plain = (line: string): string =>
  line
    .replace(/\b(0x[\da-f]+|\d+):/g, (_, digits: string) => `0x${BigInt(digits).toString(16)}:`)
    .trim()
    .replace(/\s+/g, " ");

describe("what Intel's compiler dumps", () => {
  it("is here for each kernel and both platforms, but for doubles and named barriers of DG2 and float atomics of PVC", () => {
    const kernels = readdirSync(folder).filter((name) => name.endsWith(".cl"));
    expect(kernels.length).toBeGreaterThanOrEqual(25);
    expect(dumps).toHaveLength(2 * kernels.length - 3);
  });

  it.each(share(dumps, 12))("%s has nothing wrong with it", (name) => {
    const { value: module, diagnostics } = new Device().module(new Source(name, read(name)));
    const [entry = ""] = module?.entries ?? [];
    const kernel = module?.kernel(entry);
    expect([...diagnostics, ...(kernel?.diagnostics ?? [])]).toEqual([]);
    expect(kernel?.value).toBeDefined();
  });

  it.each(share(dumps, 12))("%s is printed with the words that it is read with", (name) => {
    const text = read(name);
    const lines = (of: string): string[] =>
      of
        .split("\n")
        .filter((line) => /^ {4}\S/.test(line))
        .map(plain);
    expect(lines(printFile(parseVisa(new Source(name, text)).value))).toEqual(lines(text));
  });
});

describe("a dump with what is known by name only", () => {
  const file = resolve(import.meta.dirname, "../../../tests/data/visa/known/recursion.dg2.visaasm");

  it("is read and printed, and lint says what would not run", async () => {
    const { value, diagnostics } = parseVisa(new Source("recursion", readFileSync(file, "utf8")));
    expect(diagnostics).toEqual([]);
    expect(printFile(value)).toContain("fcall (M1, 8) fact 1 1");
    const lint = await world.ptxrun(["lint", file]);
    expect(lint.err).toContain("note PTX9020: fcall is not executed: nothing defines fact");
    expect([lint.out, lint.exit]).toEqual([expect.stringContaining("0 errors, 0 warnings"), 0]);
  });
});

/** A line of each, as the manual has it and Intel's disassembler writes it. */
const byName = `
(P1) raw_send (M1, 16) 0x20c 2 4 0x2190002:ud X.0 X.64
raw_sendc (M1, 8) 0xc 1 0 X(0,0)<0;1,0> X.0 %null.0
raw_sends.15.1.0.8 (M1, 1) 0x0:ud 0x2800403:ud X.0 V0.0 %null.0
raw_sends_eot.5.1.4.0 (M1_NM, 8) 0x0:ud 0x2000:ud X.0 X.32 %null.0
(!P1) raw_sendsc.1.4.0 (M1, 16) X(0,1)<0;1,0> 0x0:ud X.0 X.32 %null.0
raw_sendsc_eot.1.4.0 (M1, 16) 0x0:ud 0x0:ud X.0 X.32 %null.0
media_ld.nomod (8, 4) T6 0 0x0:ud X(0,0)<0;1,0> X.0
media_st.top_mod (16, 2) T6 3 0x10:ud 0x0:ud X.0
dpasw.u8.s8.8.4 (M1, 8) X.0 %null.0 X.0 X(0,0)
sample_3d.rgba (M1, 16) 0x0:uw S31 %bss X.0 %null.0 X.0 X.32
sample_b.pixel_null_mask.rg (M1, 8) 0x0:uw S T6 X.0 X.0 X.0 X.0
sample_c.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0
sample_d.rgb (M1, 8) 0x0:uw S T6 X.0 X.0 X.0 X.0 X.0
sample_b_c.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0 X.0
sample_l_c.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0 X.0
sample_d_c.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0 X.0
sample_c_lz.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0
sample4.g (M1, 8) 0x0:uw S T6 X.0 X.0 X.0
sample4_c.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0
sample4_po.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0
sample4_po_c.r (M1, 8) 0x0:uw S T6 X.0 X.0 X.0
sample_unorm.rgba.16-full S T6 0x3f000000:f 0x0:f 0x0:f 0x0:f X.0
avs.rga S T6 X(0,0)<0;1,0> 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x1:ud AVS_16_FULL 0x0:f AVS_16x4 0x0:ub X.0
vme_ime (0, 2) T6 X.0 X.0 X.0 X.0 X.0 X.0
vme_sic T6 X.0 X.0 X.0
vme_fbr (X(0,0)<0;1,0>, 0x0:ud, 0x1:ud) T6 X.0 X.0 X.0
rt_write_3d.<A><O><LRTW> (M1, 16) T6 %null.0 0x1:ub X.0 X.0 X.0 X.0
rt_read.<PS> (M1, 16) T6 X.0
urb_write_3d (M1, 8) 2 7 %null.0 X.0 %null.0 X.0
switchjmp (M1, 1) X(0,0)<0;1,0> (first, second)
sample.rgba (16) S T6 X.0 X.0 X.0 X.0`;

describe("operations of the manual that do not run", () => {
  const head = `.version 3.8
.kernel "k"
.decl X v_type=G type=ud num_elts=64 align=GRF
.decl P1 v_type=P num_elts=16
.decl T6 v_type=T num_elts=1
.decl S v_type=S num_elts=1
`;
  const lines = byName.trim().split("\n");
  const opcodes = lines.map((line) => line.replace(/^\(.*?\) /, "").split(/[. ]/, 1)[0] ?? "");
  const text = `${head}${lines.map((line) => `    ${line}\n`).join("")}first:\nsecond:\n`;

  it("have a line here each", () => {
    expect(new Set(opcodes)).toEqual(new Set([...named.map(({ mnemonic }) => mnemonic), "sample"]));
  });

  it("are printed as they are read", () => {
    const { value, diagnostics } = parseVisa(new Source("named", text));
    expect(diagnostics).toEqual([]);
    expect(printFile(value)).toBe(text);
  });

  it("get a note each, and end the run that comes to one", () => {
    const { value: module } = new Device().module(new Source("named", text));
    const found = module?.lint() ?? [];
    expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual(
      opcodes.map((opcode) => `PTX9020 ${opcode} is not implemented`),
    );
    expect(module?.kernel("k").value?.launch({}).value?.stop).toMatchObject({
      diagnostic: { code: "PTX5001", message: expect.stringContaining("raw_send") },
    });
  });

  it("are listed by ptxrun isa", async () => {
    const listed = await world.ptxrun(["isa", "raw_send"]);
    expect(listed.out).toContain("RAW_SEND (<exec_size>) <exMsgDesc> <numSrc> <numDst> <desc> <src> <dst>");
    expect(listed.out).toMatch(/runs +no: a run ends with exit code 5/);
  });
});
