import { describe, expect, test } from "vitest";
import { Device, must } from "../../../src/index.ts";
import type { Program } from "../../../src/interp/contract/program.ts";

const fibonacci = `.version 9.0
.target sm_90
.address_size 64
.func (.param .b32 r) fib(.param .b32 n)
{
  .local .b32 first;
  .reg .b32 a, b; .reg .pred p;
  ld.param.b32 a, [n];
  setp.lt.u32 p, a, 2;
  @p bra done;
  { .param .b32 x, y; sub.u32 b, a, 1; st.param.b32 [x], b; call (y), fib, (x); ld.param.b32 b, [y]; st.local.b32 [first], b; }
  { .param .b32 x, y; sub.u32 b, a, 2; st.param.b32 [x], b; call (y), fib, (x); ld.param.b32 b, [y]; ld.local.b32 a, [first]; add.u32 a, a, b; }
done:
  st.param.b32 [r], a;
  ret;
}
.entry k(.param .b64 out)
{
  .reg .b32 t, d; .reg .b64 o, w;
  ld.param.b64 o, [out];
  mov.u32 t, %tid.x;
  { .param .b32 x, y; st.param.b32 [x], t; call (y), fib, (x); ld.param.b32 d, [y]; }
  mul.wide.u32 w, t, 4;
  add.u64 o, o, w;
  st.global.b32 [o], d;
  ret;
}
`;

function begin(text: string, threads: number) {
  const device = new Device();
  const out = device.buffer(new Uint8Array(256));
  const kernel = must(must(device.module(text)).kernel("k"));
  return { session: must(kernel.session({ block: threads, args: [out] })), out, program: kernel.program };
}

const numbers = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

describe("a recursion under way", () => {
  test("is the same in pieces, and again from a snapshot in its middle", () => {
    const { session, out } = begin(fibonacci, 12);
    session.run({ budget: 700 });
    const middle = session.snapshot();
    expect(session.run().reason).toBe("exit");
    const steps = session.steps;
    expect(out.toArray("u32").slice(0, 12)).toEqual(numbers);
    session.restore(middle);
    expect(out.toArray("u32").slice(0, 12)).not.toEqual(numbers);
    while (session.run({ budget: 13 }).reason !== "exit") expect(session.steps).toBeLessThan(100_000);
    expect(session.steps).toBe(steps);
    expect(out.toArray("u32").slice(0, 12)).toEqual(numbers);
  });

  test("goes on when somebody begins to listen in its middle", () => {
    const { session, out } = begin(fibonacci, 12);
    session.run({ budget: 700 });
    let loads = 0;
    session.observe({ load: () => void loads++ });
    expect(session.run().reason).toBe("exit");
    expect(out.toArray("u32").slice(0, 12)).toEqual(numbers);
    expect(loads).toBeGreaterThan(100);
  });

  test("is stepped over, into and out of", () => {
    const { session, program } = begin(fibonacci, 4);
    const thread = { block: 0, warp: 0, lane: 3 };
    const call = program.code.findIndex(({ plan }) => plan.shape === "call");
    const entry = program.functions[0]?.entry;
    session.breakAt(call);
    expect(session.run()).toMatchObject({ reason: "breakpoint", pc: call });
    const before = session.snapshot();
    expect(session.run({ stepping: "over", thread })).toMatchObject({ reason: "step", pc: call + 1 });
    session.restore(before);
    expect(session.run({ stepping: "into", thread })).toMatchObject({ reason: "step", pc: entry });
    expect(session.run({ stepping: "into", thread })).toMatchObject({ reason: "step", pc: Number(entry) + 1 });
    expect(session.run({ stepping: "out", thread })).toMatchObject({ reason: "step", pc: call + 1 });
    expect(session.run({ stepping: "out", thread }).reason).toBe("exit");
  });
});

describe("lanes that call", () => {
  /** A program counter a lane that runs: how many instructions the warp takes tells who ran together. */
  const stepsOf = (text: string, threads: number): number => {
    const { session } = begin(text, threads);
    expect(session.run().reason).toBe("exit");
    return session.steps;
  };

  test("come together again behind the call, however long each was away", () => {
    const text = (tail: string) => `.version 9.0
.target sm_90
.address_size 64
.func (.reg .b32 r) f(.reg .b32 n) { .reg .pred p; mov.b32 r, 0; L: add.u32 r, r, n; sub.u32 n, n, 1; setp.gt.s32 p, n, 0; @p bra L; ret; }
.entry k(.param .b64 out) { .reg .b32 t, d; mov.u32 t, %tid.x; call (d), f, (t); ${tail} ret; }`;
    const more = "add.u32 d, d, 1; ".repeat(10);
    expect(stepsOf(text(more), 32) - stepsOf(text(""), 32)).toBe(10);
  });

  test("of a function without recursion pay for no stack", () => {
    const { program } = begin(fibonacci.replaceAll("call (y), fib, (x)", "st.param.b32 [y], 1"), 1);
    expect(recursiveOf(program)).toEqual([]);
  });
});

const recursiveOf = ({ functions }: Program): string[] =>
  functions.filter(({ recursive }) => recursive !== undefined).map(({ name }) => name);

describe("device printf", () => {
  const hello = (setup: string) => `.version 9.0
.target sm_90
.address_size 64
.global .align 1 .b8 text[8] = { 37, 100, 44, 37, 115, 10, 0 };
.global .align 1 .b8 endless[4] = { 65, 65, 65, 65 };
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.entry k(.param .b64 out)
{
  .local .align 8 .b8 room[16];
  .reg .b64 f, a, o; .reg .b32 d;
  ld.param.b64 o, [out];
  mov.u64 a, room; cvta.local.u64 a, a;
  ${setup}
  { .param .b64 x, y; .param .b32 z; st.param.b64 [x], f; st.param.b64 [y], a; call (z), vprintf, (x, y); ld.param.b32 d, [z]; }
  st.global.b32 [o], d;
  ret;
}`;

  const print = (setup: string, threads = 1) => {
    const printed: string[] = [];
    const device = new Device();
    const out = device.buffer(new Uint8Array(4));
    const kernel = must(must(device.module(hello(setup))).kernel("k"));
    const { stop, findings } = must(
      kernel.launch({ block: threads, args: [out], print: (text) => void printed.push(text) }),
    );
    const said = stop.reason === "trap" ? stop.diagnostic.code : stop.reason;
    return { printed, said, findings: findings.map(({ code }) => code), result: out.toArray("s32")[0] };
  };

  test("takes its values from any memory, gives how many there were, and writes a lane after the other", () => {
    const setup = "mov.u64 f, text; mov.u32 d, %tid.x; st.local.b32 [room], d; st.local.b64 [room+8], f;";
    expect(print(setup, 2)).toEqual({
      printed: ["0,%d,%s\n\n", "1,%d,%s\n\n"],
      said: "exit",
      findings: [],
      result: 2,
    });
  });

  test("gives -1 for no format, and finds what nobody has written", () => {
    expect(print("mov.u64 f, 0;")).toEqual({ printed: [], said: "exit", findings: [], result: -1 });
    expect(print("mov.u64 f, text; st.local.b64 [room+8], f;").findings).toEqual(["PTX4001"]);
  });

  test("does not read on where a string has no end", () => {
    expect(print("mov.u64 f, endless;").said).toBe("PTX3002");
    expect(print("mov.u64 f, 7;").said).toBe("PTX3002");
  });
});
