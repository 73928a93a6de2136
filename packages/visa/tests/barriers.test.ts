import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "../../../tests/unit/cli/world.ts";

const world = new World();
afterAll(() => world.remove());

/** Four SIMD threads of 8 channels: `T` is the thread's number, `I` the work-item's, `tile` a dword of local memory each. */
const head = `.version 4.1
.kernel "k"
.decl L v_type=G type=uw num_elts=8 align=GRF
.decl LY v_type=G type=uw num_elts=8 align=GRF
.decl LZ v_type=G type=uw num_elts=8 align=GRF
.decl O v_type=G type=uq num_elts=1 align=qword
.decl T v_type=G type=ud num_elts=1 align=dword
.decl N v_type=G type=uw num_elts=4 align=dword
.decl I v_type=G type=ud num_elts=8 align=GRF
.decl J v_type=G type=ud num_elts=8 align=GRF
.decl X v_type=G type=ud num_elts=8 align=GRF
.decl A v_type=G type=uq num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.input L offset=64 size=16
.input LY offset=96 size=16
.input LZ offset=128 size=16
.input O offset=160 size=8
.kernel_attr SimdSize=8
    shr (M1_NM, 1) T(0,0)<1> L(0,0)<0;1,0> 0x3:uw
    mov (M1, 8) I(0,0)<1> L(0,0)<1;1,0>
    shl (M1, 8) J(0,0)<1> I(0,0)<1;1,0> 0x2:ud
    mov (M1, 8) A(0,0)<1> J(0,0)<1;1,0>
    add (M1, 8) A(0,0)<1> A(0,0)<1;1,0> O(0,0)<0;1,0>
    mov (M1, 8) X(0,0)<1> 0x0:ud
`;
const store = "    scatter_scaled.4 (M1, 8) %slm 0x0:ud J.0 I.0\n";
/** The element of the next thread, and of the last one that of the first. */
const next = `    add (M1, 8) J(0,0)<1> J(0,0)<1;1,0> 0x20:ud
    and (M1, 8) J(0,0)<1> J(0,0)<1;1,0> 0x7f:ud
    gather_scaled.4 (M1, 8) %slm 0x0:ud J.0 X.0
`;
const end = `_end:
    svm_scatter.4.1 (M1, 8) A.0 X.0
    ret (M1, 1)
`;
const only = (thread: number): string =>
  `    cmp.ne (M1, 8) P1 T(0,0)<0;1,0> 0x${thread}:ud\n    (P1) goto (M1, 8) _past\n`;

async function run(body: string): Promise<{ out: readonly number[]; err: string; exit: number }> {
  world.write("k.visaasm", `${head}${body}${end}`);
  const words = ["run", "k.visaasm", "--block", "32", "--smem", "128", "--sanitize", "mem,init,sync,race"];
  const { err, exit } = await world.ptxrun([...words, "-a", "0=u32x32", "--dump", "0=@out.bin"]);
  return {
    out: exit === 0 ? [...new Uint32Array(Uint8Array.from(readFileSync(join(world.folder, "out.bin"))).buffer)] : [],
    err,
    exit,
  };
}

const items = Array.from({ length: 32 }, (_, at) => at);
const turned = items.map((at) => (at + 8) % 32);

describe("a barrier in two halves", () => {
  it("orders what is before the signal and what is behind the wait", async () => {
    const { out, err, exit } = await run(`${store}    sbarrier.signal\n    sbarrier.wait\n${next}`);
    expect([err, exit, out]).toEqual(["", 0, turned]);
  });

  it("does not order what is between them", async () => {
    const late = await run(`    sbarrier.signal\n${store}    sbarrier.wait\n${next}`);
    expect(late.err).toMatch(/PTX4101|race/);
    const early = await run(`${store}    sbarrier.signal\n${next}    sbarrier.wait\n`);
    expect(early.err).toMatch(/race/);
    expect([late.exit, early.exit]).not.toContain(0);
  });

  it("meets threads that come to it as a whole", async () => {
    const whole = "    cmp.eq (M1, 8) P1 T(0,0)<0;1,0> 0x2:ud\n    (P1) goto (M1, 8) _whole\n";
    const apart = "    sbarrier.signal\n    sbarrier.wait\n    goto (M1, 8) _met\n_whole:\n    barrier\n_met:\n";
    const { out, err, exit } = await run(`${store}${whole}${apart}${next}`);
    expect([err, exit, out]).toEqual(["", 0, turned]);
  });

  it.each([
    ["sbarrier.wait", "sbarrier.wait waits at barrier 0, which it has not signalled"],
    ["sbarrier.signal\n    sbarrier.signal", "sbarrier.signal signals barrier 0 twice without waiting"],
    ["nbarrier.signal 0x28:ub 0x4:ub", "nbarrier.signal names barrier 40, and a group has 0 to 31"],
    ["nbarrier.signal 0x1:ub 0x3:uw 0x4:ub 0x4:ub", "signals barrier 1 as 3, and there are the roles 0 to 2"],
    [
      "nbarrier.signal 0x1:ub T(0,0)<0;1,0>",
      "signals barrier 1 for 0 producers and 0 consumers, and there is one at least",
    ],
    [
      "add (M1_NM, 1) T(0,0)<1> T(0,0)<0;1,0> 0x2:ud\n    nbarrier.signal 0x1:ub T(0,0)<0;1,0>",
      "waits for 3 producers and 3 consumers at barrier 1, where others wait for 2 producers and 2 consumers",
    ],
    ["nbarrier.signal 0x1:ub 0x5:ub\n    nbarrier.wait 0x1:ub", "nbarrier.wait waits"],
    ["sbarrier.signal\n    nbarrier.signal 0x0:ub 0x4:ub", "meets another kind of barrier instruction at barrier 0"],
  ])("%s is a fault that says so", async (line, message) => {
    const { err, exit } = await run(`    ${line}\n`);
    expect(err).toContain(message);
    expect(exit).toBe(4);
  });
});

describe("a named barrier", () => {
  it("takes its numbers from registers", async () => {
    const numbers = "    mov (M1_NM, 1) N(0,0)<1> 0x1f:uw\n    mov (M1_NM, 1) N(0,1)<1> 0x4:uw\n";
    const meet = "    nbarrier.signal N(0,0)<0;1,0> N(0,1)<0;1,0>\n    nbarrier.wait N(0,0)<0;1,0>\n";
    const { out, err, exit } = await run(`${numbers}${store}${meet}${next}`);
    expect([err, exit, out]).toEqual(["", 0, turned]);
  });

  it("lets a producer go on, and consumers wait for it alone", async () => {
    // Thread 1 produces, thread 0 consumes; the others do not take part.
    const produce = `${only(1)}${store}    nbarrier.signal 0x3:ub 0x1:uw 0x1:ub 0x1:ub\n    goto (M1, 8) _end\n_past:\n`;
    const consumer = "    cmp.ne (M1, 8) P1 T(0,0)<0;1,0> 0x0:ud\n    (P1) goto (M1, 8) _end\n";
    const consume = "    nbarrier.signal 0x3:ub 0x2:uw 0x1:ub 0x1:ub\n    nbarrier.wait 0x3:ub\n";
    const { out, err, exit } = await run(`${produce}${consumer}${consume}${next}`);
    expect([err, exit, out]).toEqual(["", 0, items.map((at) => (at < 8 ? at + 8 : 0))]);
  });

  it("is free again once it is complete", async () => {
    const round = `${store}    nbarrier.signal 0x1:ub 0x4:ub\n    nbarrier.wait 0x1:ub\n${next}`;
    const meet = "    nbarrier.signal 0x1:ub 0x4:ub\n    nbarrier.wait 0x1:ub\n";
    const again = `${meet}    mov (M1, 8) I(0,0)<1> X(0,0)<1;1,0>\n${round}`;
    const { out, err, exit } = await run(`${round}${again}`);
    // The element goes one thread on and back to where it was written from: twice by one thread.
    expect([err, exit, out]).toEqual(["", 0, items.map((at) => (at + 16) % 32)]);
  });
});

it("channels that one message stores different values for race, and what one message after another stores is in order", async () => {
  const one = "    mov (M1, 8) J(0,0)<1> 0x0:ud\n    (!P1) goto (M1, 8) _end\n";
  const first = `    cmp.eq (M1, 8) P1 T(0,0)<0;1,0> 0x0:ud\n${one}`;
  const same = "    mov (M1, 8) I(0,0)<1> 0x5:ud\n";
  const apart = await run(`${first}${store}`);
  expect(apart.err).toContain("PTX4002: thread (1,0,0) of block (0,0,0) writes");
  expect(await run(`${first}${same}${store}${same.replace("0x5", "0x6")}${store}`)).toMatchObject({ err: "", exit: 0 });
});
