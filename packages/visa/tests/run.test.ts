import { describe, expect, it } from "vitest";
import { Debugger } from "../../../src/host/debugger/debugger.ts";
import { Device, type Kernel, type Module } from "../../../src/host/index.ts";
import type { LoadOptions } from "../src/index.ts";

const declarations = `.decl X v_type=G type=d num_elts=16 align=GRF
.decl Y v_type=G type=d num_elts=16 align=GRF
.decl F v_type=G type=f num_elts=16 align=GRF
.decl Q v_type=G type=uq num_elts=8 align=GRF
.decl U v_type=G type=ud num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=16
.decl A0 v_type=A num_elts=2`;

const dwords = ".decl V v_type=G type=ud num_elts=8\n.decl W v_type=G type=ud num_elts=8\n    ";

interface Loaded {
  readonly module: Module;
  readonly kernel: Kernel;
}

function load(body: string, options: LoadOptions = {}): Loaded {
  const { value: module, diagnostics } = new Device().module(
    `.version 3.8\n.kernel "k"\n${declarations}\n${body}\n`,
    options,
  );
  const kernel = module?.kernel("k");
  expect([...diagnostics, ...(kernel?.diagnostics ?? [])].filter(({ severity }) => severity === "error")).toEqual([]);
  if (module === undefined || kernel?.value === undefined) throw new Error("it does not load");
  return { module, kernel: kernel.value };
}

const words = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const valuesOf = ({ module }: Loaded, name: string): number[] => [
  ...new Int32Array(module.variable(name)?.read().slice().buffer ?? []),
];

type Masks = Readonly<Record<string, bigint>>;

function launch({ kernel }: Loaded, masks: Masks = {}) {
  const { value } = kernel.launch({ registers: new Map(Object.entries(masks)) });
  if (value === undefined) throw new Error("it does not launch");
  return value;
}

function run(body: string, name: string, masks: Masks = {}, inputs: Readonly<Record<string, number[]>> = {}): number[] {
  const loaded = load(body);
  for (const [input, values] of Object.entries(inputs)) loaded.module.variable(input)?.write(words(...values));
  expect(launch(loaded, masks).stop).toEqual({ reason: "exit" });
  return valuesOf(loaded, name);
}

describe("channels", () => {
  const one = (bits: number): number[] => upTo(16).map((at) => (bits >>> at) & 1);

  it("are those of the execution mask, from the mask's first on", () => {
    expect(run("    mov (M1, 16) X(0,0)<1> 0x1:d", "X", { "%em": 0xf0f0n })).toEqual(one(0xf0f0));
    expect(run("    mov (M3, 8) X(0,0)<1> 0x1:d", "X", { "%em": 0xff0fn })).toEqual(one(0x00ff));
    expect(run("    mov (M3, 8) X(0,0)<1> 0x1:d", "X", { "%em": 0x30ffn })).toEqual(one(0x0030));
  });

  it("are all of them with NoMask, as the predicate has them, whatever the execution mask", () => {
    const all = "    mov (M1_NM, 16) X(0,0)<1> 0x1:d";
    expect(run(all, "X", { "%em": 0xf0f0n })).toEqual(one(0xffff));
    expect(run(all, "X", { "%em": 0n })).toEqual(one(0xffff));
    expect(run("    (P1) mov (M1_NM, 16) X(0,0)<1> 0x1:d", "X", { "%em": 0n, P1: 0x1234n })).toEqual(one(0x1234));
    expect(run("    (!P1.any) mov (M1_NM, 16) X(0,0)<1> 0x1:d", "X", { "%em": 0n, P1: 0n })).toEqual(one(0xffff));
    expect(run("    mov (M1, 16) X(0,0)<1> 0x1:d", "X", { "%em": 0n })).toEqual(one(0));
    const past =
      "    goto (M1, 16) L\n    mov (M1_NM, 16) X(0,0)<1> 0x1:d\nL:\n    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 0x2:d";
    expect(run(past, "X", { "%em": 0n })).toEqual(one(0xffff));
  });

  it("are no more than SimdSize says, unless the launch does", () => {
    expect(run(".kernel_attr SimdSize=8\n    mov (M1, 16) X(0,0)<1> 0x1:d", "X")).toEqual(one(0x00ff));
    expect(run(".kernel_attr simdsize=8\n    mov (M1, 16) X(0,0)<1> 0x1:d", "X", { "%em": 0xf00n })).toEqual(
      one(0xf00),
    );
  });

  it("are all of them without mask, but for the predicate", () => {
    expect(run("    mov (M1_NM, 8) X(0,0)<1> 0x1:d", "X", { "%em": 0x8000_0000n })).toEqual(one(0xff));
    expect(run("    (P1) mov (M1_NM, 8) X(0,0)<1> 0x1:d", "X", { "%em": 1n, P1: 0xa5n })).toEqual(one(0xa5));
  });

  it.each([
    ["P1.any", 0x10n, 0xff],
    ["P1.any", 0x1000n, 0],
    ["P1.all", 0xffn, 0xff],
    ["P1.all", 0xfen, 0],
    ["!P1.any", 0n, 0xff],
    ["!P1.all", 0xfen, 0xff],
    ["!P1", 0xf0n, 0x0f],
  ])("(%s) with %s", (predicate, bits, expected) => {
    expect(run(`    (${predicate}) mov (M1, 8) X(0,0)<1> 0x1:d`, "X", { P1: bits })).toEqual(one(expected));
  });

  it("that go apart meet again, and write for themselves", () => {
    const body = `    cmp.lt (M1, 16) P1 X(0,0)<16;16,1> 0x8:d
    (P1) goto (M1, 16) low
    mov (M1, 16) Y(0,0)<1> 0x2:d
    goto (M1, 16) done
low:
    mov (M1, 16) Y(0,0)<1> 0x1:d
done:
    add (M1, 16) Y(0,0)<1> Y(0,0)<16;16,1> X(0,0)<16;16,1>`;
    expect(run(body, "Y", {}, { X: upTo(16) })).toEqual(upTo(16).map((at) => at + (at < 8 ? 1 : 2)));
  });

  it("all jump where one predicate bit says so", () => {
    const body = `    (P1) jmp (M1, 1) done
    mov (M1, 8) X(0,0)<1> 0x1:d
done:
    ret (M1, 1)`;
    expect(run(body, "X", { P1: 1n })).toEqual(one(0));
    expect(run(body, "X", { P1: 0xfffen })).toEqual(one(0xff));
  });

  it("that return do nothing more, the others do", () => {
    expect(run("    (P1) ret (M1, 16)\n    mov (M1, 16) X(0,0)<1> 0x1:d", "X", { P1: 0x00ffn })).toEqual(one(0xff00));
  });
});

describe("operands", () => {
  it("are read whole before anything is written", () => {
    expect(run("    mov (M1, 8) X(0,1)<1> X(0,0)<8;8,1>", "X", {}, { X: upTo(16) }).slice(0, 9)).toEqual([
      0, 0, 1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  it("count rows by the size of a register", () => {
    const body = "    mov (M1, 1) X(0,0)<1> Y(1,1)<0;1,0>";
    const at = (grf: 32 | 64): number => {
      const loaded = load(body, { grf });
      loaded.module.variable("Y")?.write(words(...upTo(16)));
      launch(loaded);
      return valuesOf(loaded, "X")[0] ?? -1;
    };
    expect(at(32)).toBe(9);
    // 64 bytes are all that Y has: the element behind them is not there.
    expect(at(64)).toBe(0);
  });

  it("follow addresses, one for all channels or one a row", () => {
    const body = `    addr_add (M1, 1) A0(0)<1> &Y 0x10:uw
    addr_add (M1, 1) A0(1)<1> &Y 0x0:uw
    mov (M1, 8) X(0,0)<1> r[A0(0),4]<4;4,1>:d
    mov (M1, 8) U(0,0)<1> r[A0(0),0]<4,1>:d`;
    expect(run(body, "X", {}, { Y: upTo(16) }).slice(0, 8)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(run(body, "U", {}, { Y: upTo(16) }).slice(0, 8)).toEqual([4, 5, 6, 7, 0, 1, 2, 3]);
  });

  it("follow an address a row where a channel of it is enabled; other rows need none", () => {
    const body = `    addr_add (M1, 1) A0(0)<1> &Y 0x10:uw
    addr_add (M1, 1) A0(1)<1> &Y 0x0:uw
    (P1) mov (M1, 16) X(0,0)<1> r[A0(0),0]<4,1>:d`;
    const rows = (enabled: bigint) => run(body, "X", { P1: enabled }, { X: upTo(16).map(() => -1), Y: upTo(16) });
    const none = (count: number): number[] => upTo(count).map(() => -1);
    expect(rows(0xffn)).toEqual([4, 5, 6, 7, 0, 1, 2, 3, ...none(8)]);
    expect(rows(0xfn)).toEqual([4, 5, 6, 7, ...none(12)]);
    expect(rows(0x21n)).toEqual([4, ...none(4), 1, ...none(10)]);
    expect(rows(0x20n)).toEqual([...none(5), 1, ...none(10)]);
  });

  it("whose row has an enabled channel but no address are a fault", () => {
    const body = `    addr_add (M1, 1) A0(0)<1> &Y 0x0:uw
    addr_add (M1, 1) A0(1)<1> &Y 0x0:uw
    (P1) mov (M1, 16) X(0,0)<1> r[A0(0),0]<4,1>:d`;
    const { stop } = launch(load(body), { P1: 0x100n });
    expect(stop).toMatchObject({ reason: "trap", at: { lane: 8 }, diagnostic: { code: "PTX3002" } });
  });

  it("beyond their variable are a fault, and nothing is written", () => {
    const loaded = load("    mov (M1, 8) X(0,0)<1> Y(1,4)<8;8,1>");
    const { stop } = launch(loaded);
    expect(stop).toMatchObject({ reason: "trap", at: { lane: 4 }, diagnostic: { code: "PTX3002" } });
    expect(valuesOf(loaded, "X")).toEqual(upTo(16).map(() => 0));
  });

  it("whose address is off their size are a fault", () => {
    const { stop } = launch(
      load("    addr_add (M1, 1) A0(0)<1> &Y 0x2:uw\n    mov (M1, 1) X(0,0)<1> r[A0(0),0]<0;1,0>:d"),
    );
    expect(stop).toMatchObject({ reason: "trap", diagnostic: { code: "PTX3001" } });
  });
});

describe("instructions", () => {
  it("set and combine predicates", () => {
    const body = `    setp (M1_NM, 16) P1 0xff:ud
    cmp.ge (M1, 16) P2 X(0,0)<16;16,1> 0x4:d
    and (M1, 16) P1 P1 P2
    (P1) mov (M1, 16) Y(0,0)<1> 0x1:d`;
    expect(run(body, "Y", {}, { X: upTo(16) })).toEqual(upTo(16).map((at) => (at >= 4 && at < 8 ? 1 : 0)));
  });

  it("choose by the predicate", () => {
    const body = "    (!P1) sel (M1, 16) Y(0,0)<1> X(0,0)<16;16,1> 0xffffffff:d";
    expect(run(body, "Y", { P1: 0x3n }, { X: upTo(16) })).toEqual(upTo(16).map((at) => (at < 2 ? -1 : at)));
  });

  it.each([
    ["P1.any", 0x100n, 1],
    ["P1.all", 0x7fffn, -1],
    ["!P1.all", 0x7fffn, 1],
    ["!P1.any", 0x100n, -1],
  ])("choose for all channels alike with %s", (predicate, bits, expected) => {
    const body = `    (${predicate}) sel (M1, 16) Y(0,0)<1> 0x1:d 0xffffffff:d`;
    expect(run(body, "Y", { P1: bits })).toEqual(upTo(16).map(() => expected));
  });

  it("move a predicate's bits into a number", () => {
    expect(run("    mov (M1, 1) U(0,0)<1> P1", "U", { P1: 0xa5a5n })[0]).toBe(0xa5a5);
  });

  it("add with carry into two destinations", () => {
    const body = "    addc (M1, 2) U(0,0)<1> X(0,0)<1> Y(0,0)<2;2,1> 0xffffffff:ud"
      .replace("X(0,0)<1>", "U(0,4)<1>")
      .replace("Y(0,0)", "U(0,8)");
    expect(run(body, "U", {}, { U: [0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0] }).slice(0, 6)).toEqual([
      -1, 4, 0, 0, 0, 1,
    ]);
  });

  it("round as %cr0 says, which a kernel may set", () => {
    // 1 + 2^-25 upward is 1 + 2^-23; bits 5:4 of 01 are upward.
    const add = "    add (M1, 1) F(0,0)<1> 1.0:f 0x33000000:f";
    expect(run(add, "F")[0]).toBe(0x3f80_0000);
    expect(run(`    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x10:ud\n${add}`, "F")[0]).toBe(0x3f80_0001);
  });

  it("give the largest number for an infinity in the alternative mode", () => {
    const body = "    mov (M1_NM, 1) %cr0(0,0)<1> 0x1:ud\n    add (M1, 1) F(0,0)<1> 0x7f7fffff:f 0x7f7fffff:f";
    expect(run(body, "F")[0]).toBe(0x7f7f_ffff);
  });

  it("multiply into registers of low dwords, and behind them of high ones", () => {
    const a = [0xffff_ffff, 7, 0x8000_0000, 3, 0, 1, 2, 0xffff_0000];
    const b = [0xffff_ffff, 9, 0x8000_0000, 5, 1, 1, 2, 0x0001_0001];
    const wide = a.map((each, at) => BigInt(each) * BigInt(b[at] ?? 0) + 100n);
    const loaded = load("    madw (M1, 8) U(0,0)<1> V(0,0)<8;8,1> W(0,0)<8;8,1> 0x64:ud".replace("    ", dwords));
    loaded.module.variable("V")?.write(words(...a));
    loaded.module.variable("W")?.write(words(...b));
    launch(loaded);
    const got = valuesOf(loaded, "U").map((each) => each >>> 0);
    expect(got.slice(0, 8)).toEqual(wide.map((each) => Number(each & 0xffff_ffffn)));
    expect(got.slice(8)).toEqual(wide.map((each) => Number(each >> 32n)));
  });

  it("keep the values of immediates apart that are written with the same digits", () => {
    const lines =
      "    mov (M1, 1) X(0,0)<1> 0xffffffff:w\n    mov (M1, 1) X(0,1)<1> 0xffffffff:d\n    mov (M1, 1) X(0,2)<1> 0xffffffff:uw";
    expect(run(lines, "X").slice(0, 3)).toEqual([-1, -1, 0xffff]);
  });

  it("set the index of a surface", () => {
    const move = "    movs (M1_NM, 1) T6(0) 0x2:ud\n    movs (M1, 1) U(0,1)<1> T6(0)";
    const loaded = load(`.decl T6 v_type=T num_elts=1\n${move}`);
    launch(loaded);
    expect(valuesOf(loaded, "U")[1]).toBe(2);
    expect(valuesOf(loaded, "%T6")).toEqual([2]);
  });

  it("that are known by name only end the run", () => {
    expect(launch(load("    dp4 (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>")).stop).toMatchObject({
      diagnostic: { code: "PTX5001" },
    });
  });
});

describe("a subroutine", () => {
  const sub = `
    ret (M1, 1)
.function "sub"
sub:
    add (M1, 16) X(0,0)<1> X(0,0)<16;16,1> 0x1:d
    (P2) ret (M1, 16)
    add (M1, 16) X(0,0)<1> X(0,0)<16;16,1> 0x10:d
    ret (M1, 16)`;
  const after = "    add (M1, 16) X(0,0)<1> X(0,0)<16;16,1> 0x100:d";

  it("is called by the channels of a predicate, which return when they want to", () => {
    const called = run(`    (P1) call (M1, 16) sub\n${after}${sub}`, "X", { P1: 0x00ffn, P2: 0x0f0fn, "%em": 0xffffn });
    expect(called).toEqual(upTo(16).map((at) => 0x100 + (at >= 8 ? 0 : at < 4 ? 1 : 0x11)));
  });

  it("is called by all channels at once where one decides", () => {
    expect(run(`    call (M1, 1) sub\n${after}${sub}`, "X", { "%em": 0xffffn })).toEqual(upTo(16).map(() => 0x111));
    const not = run(`    (P1) call (M1, 1) sub\n${after}${sub}`, "X", { P1: 0xfffen, "%em": 0xffffn });
    expect(not).toEqual(upTo(16).map(() => 0x100));
  });

  it("calls another one", () => {
    const inner = `${sub}\n.function "twice"\ntwice:\n    call (M1, 16) sub\n    call (M1, 16) sub\n    ret (M1, 16)`;
    expect(run(`    call (M1, 16) twice${inner}`, "X", { P2: 0xffffn, "%em": 0xffffn })).toEqual(upTo(16).map(() => 2));
  });
});

describe("a loop that its channels leave one by one", () => {
  const body = `    mov (M1, 16) U(0,0)<1> 0x0:ud
again:
    add (M1, 16) Y(0,0)<1> Y(0,0)<16;16,1> X(0,0)<16;16,1>
    add (M1, 16) U(0,0)<1> U(0,0)<16;16,1> 0x1:ud
    cmp.le (M1, 16) P1 U(0,0)<16;16,1> X(0,0)<16;16,1>
    (P1) goto (M1, 16) again
    ret (M1, 1)`;
  const product = upTo(16).map((at) => at * (at + 1));

  it("multiplies", () => expect(run(body, "Y", {}, { X: upTo(16) })).toEqual(product));

  it("can be stepped through and back", () => {
    const loaded = load(body);
    loaded.module.variable("X")?.write(words(...upTo(16)));
    const { value: debugger_ } = Debugger.begin({ start: () => loaded.kernel.session() });
    if (debugger_ === undefined) throw new Error("it does not begin");
    debugger_.step(4);
    expect(valuesOf(loaded, "Y")).toEqual(upTo(16));
    debugger_.goTo(1000);
    expect(valuesOf(loaded, "Y")).toEqual(product);
    debugger_.goTo(2);
    expect(valuesOf(loaded, "Y")).toEqual(upTo(16));
    debugger_.stepBack();
    expect(debugger_.position).toBe(1);
    expect(valuesOf(loaded, "Y")).toEqual(upTo(16).map(() => 0));
  });
});
