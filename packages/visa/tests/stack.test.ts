import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { draws } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { besides } from "./archive.ts";

/*
 * `opencl/call.cl` with -cl-opt-disable: its function is called by the stack, and is in a dump of its own beside the kernel's.
 * IGC 2 has it for bmg, and IGC 1 for dg2.
 */

const world = new World();
afterAll(() => world.remove());
cpSync(resolve(import.meta.dirname, "../../../tests/data/visa/unoptimised"), world.folder, { recursive: true });
for (const [end, bytes] of besides("igc2/dg2", "call")) world.write(`optimised.${end}`, bytes);

const weight = (x: number, y: number): number => (Math.imul(x, 31) + (y ^ (x >> 3))) | 0;
const wanted = Array.from({ length: 40 }, (_, i) => {
  let v = 7 * i;
  for (let k = 0; k < (i & 3); k++) v = weight(v, k);
  return weight(v, i);
});
const input = `s32x40:${wanted.map((_, i) => 7 * i).join()}`;

const launch = ["--block", "40", "-a", `a=${input}`, "-a", "out=s32x40"];

describe.each(["bmg", "dg2"])("functions that kernels for %s call by the stack", (device) => {
  it("have arguments, results and variables of their own", async () => {
    const words = ["run", `call.${device}.visaasm`, ...launch, "--sanitize", "mem,sync,race", "--dump", "out:all"];
    const { out, err, exit } = await world.ptxrun(words);
    expect([err, exit]).toEqual(["", 0]);
    expect(
      [...out.matchAll(/^ *\[.*\](.*)$/gm)].flatMap(([, row = ""]) => row.trim().split(/\s+/).map(Number)),
    ).toEqual(wanted);
  });

  it("are known by name only where their dump is missing", async () => {
    for (const end of ["visaasm", "zeinfo"])
      world.write(`alone.${end}`, readFileSync(join(world.folder, `call.${device}.${end}`)));
    const { err, exit } = await world.ptxrun(["run", "alone.visaasm", ...launch]);
    expect(err).toMatch(/fcall.* is not executed: nothing defines \w+/);
    expect(exit).toBe(5);
  });
});

it("diff finds no difference between a kernel without optimisation and with it", async () => {
  const { out, exit } = await world.ptxrun(["diff", "call.bmg.visaasm", "optimised.visaasm", ...launch]);
  expect([out, exit]).toEqual(["equal      call.bmg.visaasm  optimised.visaasm  2 buffers\n", 0]);
});

it("diff draws launches for dumps with a .zeinfo where no argument is given", async () => {
  for (const [name, device] of [
    ["first", "igc2/bmg"],
    ["second", "igc1/pvc"],
  ] as const)
    for (const [end, bytes] of besides(device, "reduce")) world.write(`${name}.${end}`, bytes);
  const count = draws(8, 100);
  const same = await world.ptxrun(["diff", "first.visaasm", "second.visaasm", "--random", `${count}`]);
  expect(same).toMatchObject({ err: "", exit: 0 });
  expect(same.out).toMatch(/^no difference .* 2 buffers\n/);
  expect(same.out).toContain(`\n  in ${count} launches of sizes 128 with drawn inputs`);
  const text = readFileSync(join(world.folder, "second.visaasm"), "utf8");
  // The first sum is a difference.
  world.write(
    "wrong.visaasm",
    text.replace(/^( +)add (\(M1, 32\).*V00\d\d\(0,0\)<1;1,0> V00\d\d\(0,0\)<1;1,0>)/m, "$1xor $2"),
  );
  world.write("wrong.zeinfo", readFileSync(join(world.folder, "second.zeinfo")));
  const apart = await world.ptxrun(["diff", "first.visaasm", "wrong.visaasm"]);
  expect([apart.exit, apart.err]).toEqual([1, ""]);
  expect(apart.out).toMatch(/^different .*\n {2}out\[\d\] is /);
});

describe.each(["bmg", "dg2"])("functions for %s that call themselves or each other", (device) => {
  const fact = (n: number): number => (n < 2 ? 1 : n * fact(n - 1));
  const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2));
  const result = (i: number): number => fact(i & 7) + 100_000 * fib(i % 9) + 10_000_000 * ((i % 5) & 1 ? 0 : 1);

  it("have their variables again when they go on", async () => {
    const words = ["run", `recursion.${device}.visaasm`, "--grid", "2", "--block", "24", "-a", "out=s32x48"];
    const { out, err, exit } = await world.ptxrun([...words, "--sanitize", "mem,init,sync,race", "--dump", "out:all"]);
    expect([err, exit]).toEqual(["", 0]);
    expect(
      [...out.matchAll(/^ *\[.*\](.*)$/gm)].flatMap(([, row = ""]) => row.trim().split(/\s+/).map(Number)),
    ).toEqual(Array.from({ length: 48 }, (_, i) => result(i)));
  });
});

/*
 * Channels return early from `sum`, while the others are long in a loop before they call it again: the caller's variables
 * are restored once, behind the last of them, as a thread has one instruction pointer for all of its channels.
 */
it("channels of one call that return at different times go on together", () => {
  const { value: module, diagnostics } = new Device().module(`.version 4.2
.kernel "k"
.decl X v_type=G type=d num_elts=16 align=GRF
.decl R v_type=G type=d num_elts=16 alias=<%retval, 0>
.decl A v_type=G type=d num_elts=16 alias=<%arg, 0>
    mov (M1, 16) A(0,0)<1> X(0,0)<1;1,0>
    fcall (M1, 16) sum 2 2
    mov (M1, 16) X(0,0)<1> R(0,0)<1;1,0>
    ret (M1, 1)
.global_function "sum"
.decl R v_type=G type=d num_elts=16 alias=<%retval, 0>
.decl A v_type=G type=d num_elts=16 alias=<%arg, 0>
.decl N v_type=G type=d num_elts=16 align=GRF
.decl C v_type=G type=d num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=16
.function "sum_0"
sum_0:
    mov (M1, 16) N(0,0)<1> A(0,0)<1;1,0>
    mov (M1, 16) R(0,0)<1> 0x0:d
    cmp.lt (M1, 16) P1 N(0,0)<1;1,0> 0x1:d
    (P1) fret (M1, 16)
    mov (M1, 16) C(0,0)<1> 0x1000:d
again:
    add (M1, 16) C(0,0)<1> C(0,0)<1;1,0> -0x1:d
    cmp.gt (M1, 16) P2 C(0,0)<1;1,0> 0x0:d
    (P2) goto (M1, 16) again
    add (M1, 16) A(0,0)<1> N(0,0)<1;1,0> -0x1:d
    fcall (M1, 16) sum 2 2
    add (M1, 16) R(0,0)<1> R(0,0)<1;1,0> N(0,0)<1;1,0>
    fret (M1, 16)
`);
  expect(diagnostics).toEqual([]);
  const counts = [0, 1, 2, 3, 0, 3, 2, 1, 1, 0, 3, 0, 2, 2, 0, 1];
  module!.variable("X")!.write(new Uint8Array(Int32Array.from(counts).buffer));
  // A thread alone has frames, too.
  const { value } = module!.kernel("k").value!.launch({});
  expect(value!.stop).toEqual({ reason: "exit" });
  expect([...new Int32Array(Uint8Array.from(module!.variable("X")!.read()).buffer)]).toEqual(
    counts.map((n) => (n * (n + 1)) / 2),
  );
});

describe("a call through an address", () => {
  /** Calls `plus` or `twice` for the channels of P1. */
  const text = (type: "ud" | "uq", chosen: string): string => `.version 4.2
.kernel "k"
.decl X v_type=G type=d num_elts=16 align=GRF
.decl F v_type=G type=${type} num_elts=1
.decl R v_type=G type=d num_elts=16 alias=<%retval, 0>
.decl A v_type=G type=d num_elts=16 alias=<%arg, 0>
.decl P1 v_type=P num_elts=16
    mov (M1, 16) A(0,0)<1> X(0,0)<1;1,0>
    ${chosen}
    (P1) ifcall.uniform (M1, 16) F(0,0)<0;1,0> 2 2
    (P1) mov (M1, 16) X(0,0)<1> R(0,0)<1;1,0>
    ret (M1, 1)
${["plus", "twice"]
  .map(
    (name) => `.global_function "${name}"
.decl R v_type=G type=d num_elts=16 alias=<%retval, 0>
.decl A v_type=G type=d num_elts=16 alias=<%arg, 0>
.function "${name}_0"
${name}_0:
    ${name === "plus" ? "add" : "mul"} (M1, 16) R(0,0)<1> A(0,0)<1;1,0> 0x2:d
    fret (M1, 16)`,
  )
  .join("\n")}
`;

  function run(type: "ud" | "uq", chosen: string) {
    const { value: module, diagnostics } = new Device().module(text(type, chosen));
    expect(diagnostics).toEqual([]);
    module!.variable("X")!.write(new Uint8Array(Int32Array.from({ length: 16 }, (_, at) => at + 5).buffer));
    const { value } = module!.kernel("k").value!.launch({ registers: new Map([["P1", 0x0ff0n]]) });
    return { stop: value!.stop, x: [...new Int32Array(Uint8Array.from(module!.variable("X")!.read()).buffer)] };
  }
  const expected = (of: (x: number) => number): number[] =>
    Array.from({ length: 16 }, (_, at) => (at >= 4 && at < 12 ? of(at + 5) : at + 5));

  it.each(["ud", "uq"] as const)("of type %s goes to the function whose address it is", (type) => {
    expect(run(type, "faddr plus F(0,0)<1>")).toEqual({ stop: { reason: "exit" }, x: expected((x) => x + 2) });
    expect(run(type, "faddr twice F(0,0)<1>")).toEqual({ stop: { reason: "exit" }, x: expected((x) => 2 * x) });
  });

  it("of no function is a fault", () => {
    const { stop } = run("uq", "mov (M1, 1) F(0,0)<1> 0x77:uq");
    expect(stop).toMatchObject({ reason: "trap", diagnostic: { message: expect.stringContaining("0x77") } });
  });
});
