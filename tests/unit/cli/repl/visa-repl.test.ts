import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { World } from "../world.ts";

const loop = readFileSync(new URL("../../../../examples/visa/loop.visaasm", import.meta.url), "utf8");
const world = new World().write("loop.visaasm", loop);
afterAll(() => world.remove());

const odd = Array.from({ length: 16 }, (_, k) => 2 * k + 3);
const count = Array.from({ length: 16 }, (_, k) => k + 1);
const inputs = ["-r", `A=${odd.join(",")}`, "-r", `B=${count.join(",")}`];

it("a divergent vISA loop is stepped, reversed and run to its products", async () => {
  const stdin = `break again
run
continue
print P1
reverse-continue
print P1
reverse-step
delete
continue
dump C
`;
  const { out, err, exit } = await world.ptxrun(["repl", "loop.visaasm", ...inputs], { stdin });
  expect([exit, err]).toEqual([0, ""]);
  // Channel k wants k + 1 rounds: at the first, no channel has compared itself out; at the second, channel 0 has.
  expect(out).toContain("@4 b0 t0 again");
  expect(out).toContain("@8 b0 t1 again");
  expect(out).toContain(`$1 = ${0xfffe} (b32 0x0000fffe)`);
  expect(out).toContain("$2 = 0 (b32 0x00000000)");
  expect(out).toContain("@3 b0 t0 product+3");
  const products = odd.map((a, k) => a * (count[k] ?? 0));
  expect(out.replace(/\s+/g, " ")).toContain(products.slice(0, 8).join(" "));
  expect(out.replace(/\s+/g, " ")).toContain(products.slice(8).join(" "));
});

it("one SIMD thread is all that a vISA kernel is launched as", async () => {
  const { err, exit } = await world.ptxrun(["loop.visaasm", ...inputs, "--grid", "2"]);
  expect(err).toContain("PTX2207: a vISA kernel runs as one thread, not in 2 blocks");
  expect(exit).toBe(2);
});

it("a vISA kernel with .input is many threads, each with variables of its own, and channels to look at", async () => {
  const add = readFileSync(new URL("../../../data/visa/opencl/add.dg2.visaasm", import.meta.url), "utf8");
  world.write("add.visaasm", add);
  const args = ["-a", "0=f32x128:iota", "-a", "1=f32x128:fill=100", "-a", "2=f32x128", "-a", "3=128"];
  const launch = ["repl", "add.visaasm", ...args, ...["4", "5", "6"].flatMap((each) => ["-a", `${each}=0`])];
  const stdin = `break _0_004
continue
continue
continue
print [V0053]
focus block 0 thread 1 channel 2
print [V0053]
dump V0053
`;
  const { out, err, exit } = await world.ptxrun([...launch, "--grid", "2", "--block", "64"], { stdin });
  expect(exit).toBe(0);
  expect(err).toContain("note PTX2213: V0038 is taken for the local size");
  // The second thread of a group begins at work-item 32, the second group at 64.
  for (const line of ["@63 b0 t32 _0_004", "@95 b1 t0 _0_004", "$1 = 64 ", "b0 t34 does", "$2 = 32 ", "32 33 34 35"])
    expect(out).toContain(line);
  const refused = await world.ptxrun([...launch, "--grid", "2"], { stdin: "focus channel 32\n" });
  expect(refused.err).toContain("channels 0 to 31 of a thread");
});

it("variables of vISA are vectors of their declared type, and lines that are typed are vISA", async () => {
  const args = ["-a", "0=f32x80:iota", "-a", "1=f32x80:fill=100", "-a", "2=f32x80", "-a", "3=80"];
  const launch = ["repl", "add.visaasm", ...args, ...["4", "5", "6"].flatMap((each) => ["-a", `${each}=0`])];
  const stdin = `step 6
print V0054
print V0053(0,3) V0053(1,1)*2
lanes V0053
explain
last-write V0053(1,0)
add (M1, 16) V0053(0,0)<1> V0053(0,0)<1;1,0> 0x64:d
last-write V0053
cmp.lt (M1, 16) P1 V0053(0,0)<1;1,0> 0x68:d
lanes P1
set V0053(0,3)=-7
print/x V0053(0,3)
(P1) mov (M1, 16) V0053(0,0)<1> 1:d
set V0053=9
focus b0 t34
print V0053
focus t5
`;
  const { out, err, exit } = await world.ptxrun([...launch, "--grid", "2", "--block", "40"], { stdin });
  expect([exit, err.replace(/^note PTX2213[\s\S]*?1,1$\n/m, "")]).toEqual([0, ""]);
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at).join(" ");
  for (const line of [
    `$1 = ${numbers(16, 32)} (s32x16)`,
    "$2 = V0053(0,3) = 3 (s32 0x00000003)",
    "$3 = V0053(1,1)*2 = 18 (0x12)",
    "V0053  0  1  2  3  4  5  6  7  8  9  10  11  12  13  14  15      -",
    `  V0053  ${numbers(0, 16)} (s32x16)`,
    "  V0034  80 (s32 0x00000050)",
    "@4 b0 t0 _main_0+4: ",
    "  new: 8 (s32 0x00000008)",
    `  V0053 = ${numbers(100, 116)} (s32x16)`,
    "@6 b0 t0 by hand: add (M1, 16) V0053(0,0)<1> V0053(0,0)<1;1,0> 0x64:d",
    "  P1 = 15 (b32 0x0000000f)",
    "P1    1     0",
    "0xfffffff9",
    `  V0053 = 1 1 1 1 ${numbers(104, 116)} (s32x16)`,
    "V0053 = 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 (s32x16)",
    "@6 b0 t34 ",
    "$5 = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 (s32x16)",
    "@6 b0 t5 ",
  ])
    expect(out).toContain(line);
});

it.each([
  ["print V0053+1", "PTX2403: V0053 has 16 elements", "V0053(0,0) to V0053(1,7)"],
  ["print V0053(2,0)", "PTX2406: V0053 has 64 bytes", "V0053(0,0) to V0053(1,7)"],
  ["print P1(0,1)", "PTX2403: rows and columns are of vISA's variables", "V(0,3)"],
  ["add (M1, 16) V0053(0,0)<1> V9(0,0)<1;1,0> 1:d", "PTX8102: the kernel has no %retval", ""],
  ["add (M1, 16) V0053(0,0)<1> V0053(0,0)<1;1,0>", "PTX8202: add has 3 operands, not 2", "<dst> <src0> <src1>"],
  ["goto (M1, 16) _0_004", "PTX2403", ""],
  ["focus thread 1 channel 32", "PTX2407", "channels 0 to 31 of a thread"],
])("%s is refused", async (line, message, expected) => {
  const launch = ["repl", "add.visaasm", ...["0", "1", "2"].flatMap((each) => ["-a", `${each}=f32x80`]), "-a", "3=80"];
  const { err } = await world.ptxrun([...launch, "--block", "40"], { stdin: `${line}\n` });
  expect(err).toContain(message);
  expect(err).toContain(expected);
});
