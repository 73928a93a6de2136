import { describe, expect, test } from "vitest";
import { must } from "../../../src/host/index.ts";
import type { LaunchOptions } from "../../../src/host/launch/kernel.ts";
import { imageOf } from "../../../src/host/module/image.ts";
import { Module } from "../../../src/host/module/module.ts";
import type { Observer } from "../../../src/interp/contract/observer.ts";
import { type Executor, inject, javascript } from "../../../src/interp/index.ts";
import { Memory } from "../../../src/interp/memory/memory.ts";
import { History } from "../../../src/interp/tools/history.ts";
import { Source } from "../../../src/source/source.ts";
import { draws } from "../../share.ts";
import { fingerprint, launch } from "./everything.ts";

/** One instruction at a time; tells how many. */
function stepping(): Executor & { executed: number } {
  return {
    executed: 0,
    link(context, observed) {
      const { run } = javascript.link(context, observed);
      return {
        run: (warp, budget, clock) => {
          let executed = 0;
          do executed += run(warp, 1, clock + executed);
          while (executed < budget && warp.active !== 0 && warp.yieldBudget > 0);
          this.executed += executed;
          return executed;
        },
      };
    },
  };
}

/** Two linked programs in turn, for a few instructions each: whatever lies between two calls lies in the warp and in memory. */
const alternating: Executor = {
  link(context, observed) {
    const two = [javascript.link(context, observed), javascript.link(context, observed)];
    let turn = 0;
    return { run: (warp, budget, clock) => two[turn++ % 2]!.run(warp, Math.min(budget, 1 + (turn % 7)), clock) };
  },
};

const others: readonly (readonly [string, () => Executor])[] = [
  ["one that steps", stepping],
  ["two that take turns", () => alternating],
];

describe.each(others)("another executor, %s,", (_, make) => {
  test("comes to the same state at each position, and to the same end", () => {
    const [plain, other] = [launch(12), launch(12, { executor: make() })];
    for (let position = 0; ; position += draws(5999, 997)) {
      const stop = plain.session.run({ budget: position - plain.session.steps });
      expect(other.session.run({ budget: position - other.session.steps })).toEqual(stop);
      expect(fingerprint(other.session, other.memory)).toBe(fingerprint(plain.session, plain.memory));
      if (stop.reason === "exit") break;
    }
    expect(other.session.steps).toBe(plain.session.steps);
    expect(other.session.findings).toEqual(plain.session.findings);
    expect(other.printed).toEqual(plain.printed);
    expect(other.memory.read(other.out, 1024)).toEqual(plain.memory.read(plain.out, 1024));
  });

  test("draws the same order from a seed", () => {
    const [plain, other] = [undefined, make()].map((executor) =>
      launch(8, { schedule: { seed: 5 }, ...(executor && { executor }) }),
    );
    expect(other!.session.run()).toEqual(plain!.session.run());
    expect(other!.printed).toEqual(plain!.printed);
    expect(fingerprint(other!.session, other!.memory)).toBe(fingerprint(plain!.session, plain!.memory));
  });

  test("stops at the same breakpoints, and steps the same", () => {
    const course = (options: LaunchOptions): unknown[] => {
      const { session } = launch(6, options);
      const seen: unknown[] = [];
      for (let pc = 3; pc < session.program.code.length; pc += 11) session.breakAt(pc);
      const thread = { block: 1, warp: 0, lane: 5 };
      for (let count = 0; count < 400; count++) {
        seen.push(session.run(), session.steps);
        for (const stepping of ["into", "over", "out"] as const)
          if (count % 9 === 0) seen.push(session.run({ stepping, thread }), session.steps);
      }
      return seen;
    };
    expect(course({ executor: make() })).toEqual(course({}));
  });

  test("lets observers hear the same", () => {
    const heard = (options: LaunchOptions): string[] => {
      const { session } = launch(3, options);
      const told: string[] = [];
      const note =
        (what: string) =>
        (...about: unknown[]) => {
          told.push(
            `${what} ${about.map((each) => (typeof each === "object" ? Object.values(each as object) : each))}`,
          );
        };
      const events = [
        "instruction",
        "after",
        "load",
        "store",
        "atomic",
        "barrier",
        "warpSync",
        "begin",
        "end",
      ] as const;
      session.observe(Object.fromEntries(events.map((event) => [event, note(event)])) as Observer);
      expect(session.run().reason).toBe("exit");
      return told;
    };
    const plain = heard({});
    expect(new Set(plain.map((line) => line.split(" ")[0])).size).toBe(9);
    expect(heard({ executor: make() })).toEqual(plain);
  });

  test("can be travelled back and forth", () => {
    const plain = launch(400);
    const other = launch(400, { executor: make() });
    const history = new History(other.session);
    history.travel(8000);
    for (const position of [5432, 1, 7999, 4096]) {
      expect(history.goTo(position)).toBe("there");
      const fresh = launch(400);
      fresh.session.run({ budget: position });
      expect(fingerprint(other.session, other.memory)).toBe(fingerprint(fresh.session, fresh.memory));
    }
    plain.session.run({ budget: 8000 });
    history.goTo(8000);
    expect(fingerprint(other.session, other.memory)).toBe(fingerprint(plain.session, plain.memory));
  });

  test.each([
    ["a store past the end", "st.global.u32 [w+3968], t;", "PTX3002"],
    ["an address that is not aligned", "add.u64 w, w, 2; ld.global.u32 v, [w];", "PTX3001"],
    ["one lane that traps", "setp.eq.u32 p, t, 9; @p trap;", "PTX3004"],
    ["a deadlock", "setp.lt.u32 p, t, 40; @p bar.sync 1, 96;", "PTX3011"],
    ["a limit", "here: bra here;", "PTX6001"],
    [
      "a limit where others wait",
      "setp.lt.u32 p, t, 9; here: ld.global.u32 v, [o]; @p bra here; barrier.sync 0;",
      "PTX6001",
    ],
  ])("faults the same: %s", (_what, text, code) => {
    const end = (options: LaunchOptions): unknown => {
      const { session, memory, out } = faulty(text, { maxSteps: 3000, ...options });
      const stop = session.run();
      if (stop.reason !== "trap") throw new Error(`${stop.reason}, and not a fault`);
      expect(stop.diagnostic.code).toBe(code);
      const registers = Array.from({ length: 32 }, (_, lane) => session.registers({ ...stop.at, lane }));
      return [stop, session.steps, session.findings, registers, memory.read(out, 256)];
    };
    expect(end({ executor: make() })).toEqual(end({}));
  });

  test("has the same races found", () => {
    const races = (options: LaunchOptions) => {
      const { session } = faulty("mov.u64 w, o; st.global.u32 [w], t;", { sanitize: RACES, ...options });
      session.run();
      return session.findings;
    };
    expect(races({}).map(({ code }) => code)).toEqual(["PTX4002"]);
    expect(races({ executor: make() })).toEqual(races({}));
  });
});

test("a session executes all with the executor that it is given, injected instructions too", () => {
  const executor = stepping();
  const { session, out } = faulty("mov.u32 v, 7;", { executor });
  session.run({ budget: 10 });
  expect(executor.executed).toBe(session.steps);
  const thread = { block: 0, warp: 0, lane: 3 };
  const line = programOf("mov.u32 v, 99; st.global.u32 [o+512], v;");
  expect(inject(session, { ...line }, thread)).toBeUndefined();
  expect(executor.executed).toBeGreaterThan(session.steps);
  expect(session.registers(thread).find(({ name }) => name === "v")?.bits).toEqual([99n]);
  expect(session.read("global", out + 512n, 4)).toEqual(Uint8Array.of(99, 0, 0, 0));
});

const RACES = { mem: true, init: true, race: true };

/** What the launches below have in common: two warps, registers, and the address of each thread's own word. */
const program = (text: string): string => `.version 9.0
.target sm_90
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, v; .reg .b64 o, w; .reg .pred p;
  ld.param.b64 o, [out];
  mov.u32 t, %tid.x;
  mul.wide.u32 w, t, 4;
  add.u64 w, w, o;
  bar.warp.sync 0xffffffff;
  mov.u32 v, %clock;
  add.u32 v, v, t;
  st.global.u32 [w], v;
  ${text}
  ret;
}
`;

function kernelOf(text: string) {
  const memory = new Memory({ limit: 16 << 20 });
  const image = imageOf(new Source("faulty.ptx", program(text))).value;
  const kernel = must(must(Module.place(image, memory)).kernel("k"));
  return { kernel, memory, out: memory.allocate({ name: "out", bytes: 1024, initialised: true })! };
}

/** A launch of a few instructions, for two full warps. */
function faulty(text: string, options: LaunchOptions = {}) {
  const { kernel, memory, out } = kernelOf(text);
  return { session: must(kernel.session({ block: 64, args: [out], ...options })), memory, out };
}

/** Instructions that use the same registers, to be injected. */
function programOf(text: string) {
  const { kernel } = kernelOf("mov.u32 v, 7;");
  const { value } = kernel.injected(new Source("line", text));
  if (value === undefined) throw new Error("the line is not understood");
  return value;
}
