import { describe, expect, it } from "vitest";
import type { DebugStop, Motion } from "../../../../src/host/debugger/debugger.ts";
import { looking, silent } from "../../../../tests/unit/cli/world.ts";
import { Mover } from "../../dap/motion.ts";
import { progressOf } from "../../dap/protocol/progress.ts";
import { Client } from "./client.ts";
import { endless, failing, walk, walking } from "./programs.ts";

/** Goes through a barrier and parts its lanes again and again. */
const turning = endless
  .replace(".reg .u32 %r<2>;", ".reg .u32 %r<3>; .reg .pred %p1;")
  .replace(
    "  add.u32",
    "  bar.sync 0;\n  mov.u32 %r2, %tid.x;\n  setp.gt.u32 %p1, %r2, 3;\n  @%p1 bra again;\n  add.u32",
  );

/** Prints, then waits for nobody. */
const printing = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .u32 r) vprintf(.param .u64 f, .param .u64 a);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry printing()
{
  .reg .u64 %rd<2>;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd1, %rd1;
  {
    .param .u64 f;
    .param .u64 a;
    .param .u32 r;
    st.param.u64 [f], %rd1;
    st.param.u64 [a], 0;
    call.uni (r), vprintf, (f, a);
  }
  ret;
}
`;

const many = { stopOnEntry: false, maxSteps: "1000G" };

describe("a program that goes on", () => {
  it.each<[command: string, given: object, reason: string]>([
    ["setBreakpoints", { source: { name: "test.ptx" }, breakpoints: [{ line: 9 }] }, "breakpoint"],
    ["setFunctionBreakpoints", { breakpoints: [{ name: "again" }] }, "breakpoint"],
    ["setInstructionBreakpoints", { breakpoints: [{ instructionReference: "0x1" }] }, "breakpoint"],
    ["setDataBreakpoints", { breakpoints: [{ dataId: "%r1" }] }, "data breakpoint"],
    ["setExceptionBreakpoints", { filters: ["barrier"] }, "exception"],
    ["setExceptionBreakpoints", { filters: ["divergence"] }, "exception"],
  ])("hears %s %j", async (command, given, reason) => {
    const client = await Client.launch(turning, { ...many, block: 8 });
    const { breakpoints } = await client.ask(command, { ...given });
    expect(await client.stop()).toMatchObject({ reason, hitBreakpointIds: [breakpoints[0].id] });
  });

  it("goes on with a step when points are set that it does not come to", async () => {
    const client = await Client.launch(endless, { maxSteps: "1000G" });
    await client.ask("stepOut", { threadId: 1 });
    await client.break(7);
    await client.ask("pause");
    expect(await client.stop()).toMatchObject({ reason: "pause" });
  });

  it("is told of once, whoever ends it", async () => {
    for (const command of ["pause", "restart", "terminate", "disconnect"]) {
      const client = await Client.launch(endless, many);
      await client.ask(command);
      if (command === "pause") await client.stop();
      await client.ask(command === "disconnect" ? "cancel" : "threads");
      const stops = client.order().filter((each) => each === "stopped!");
      expect.soft(stops.length, command).toBe(command === "pause" || command === "restart" ? 1 : 0);
    }
  });

  it("begins once, however often a client says that it is ready", async () => {
    const client = await Client.launch(walk, walking);
    await client.ask("configurationDone");
    await client.ask("threads");
    expect(client.order().filter((each) => each === "process!" || each === "launch")).toHaveLength(2);
  });

  it("is over where its adapter is closed", async () => {
    const client = await Client.launch(walk, walking);
    client.adapter.close();
    expect(client.adapter.ended).toBe(true);
    expect(await client.refused("threads")).toBe("the session is over");
  });

  it("that was loaded with warnings tells them on the console, at their lines", async () => {
    const text = walk.replace("mov.u32 %r4, 0; // 26", "mov.u32 %r4, 0; mov.u32 %r7, %r8; // 26");
    const client = await Client.launch(text, { ...walking });
    const all = client.messages.filter((each) => each["event"] === "output").map(({ body }) => body);
    expect(all).toMatchObject([{ category: "console", line: 26, column: 19, source: { name: "test.ptx" } }]);
  });

  it("can be restarted behind its end", async () => {
    const client = await Client.launch(walk, { ...walking, stopOnEntry: false });
    await client.event("terminated");
    await client.ask("restart");
    await client.event("terminated");
    expect(client.order().filter((each) => each === "exited!")).toHaveLength(2);
  });

  it("forgets at a restart what a client was shown", async () => {
    const client = await Client.launch(walk, walking);
    const { variablesReference } = await client.scope("Registers");
    await client.ask("restart");
    await client.stop();
    expect(await client.refused("variables", { variablesReference })).toMatch(/gone/);
  });

  it.each<[command: string, given: object]>([
    ["setFunctionBreakpoints", { breakpoints: [{ name: "again" }] }],
    ["setExceptionBreakpoints", { filters: ["barrier"] }],
    ["setDataBreakpoints", { breakpoints: [{ dataId: "%r4" }] }],
  ])("without a debugger pays no heed to %s", async (command, given) => {
    const client = await Client.launch(walk, { ...walking, noDebug: true }, [[command, { ...given }]]);
    await client.event("terminated");
    expect(client.order()).not.toContain("stopped!");
  });

  it("prints on its standard output, and is told of on the console", async () => {
    const client = await Client.launch(printing, { stopOnEntry: false });
    await client.event("terminated");
    const bodies = client.messages.filter((each) => each["event"] === "output").map(({ body }) => body);
    expect(bodies).toEqual([{ category: "stdout", output: "hi\n" }]);
  });

  it("stays where it ended, whichever way the thread that ended is moved on", async () => {
    const client = await Client.launch(walk, { ...walking, stopAtEnd: true });
    const end = await client.move("continue");
    for (const command of ["next", "stepIn", "stepOut", "continue"])
      expect.soft(await client.move(command), command).toEqual(end);
  });

  it("goes back from a fault as it went there, and comes to it again", async () => {
    const client = await Client.launch(failing, { stopOnEntry: false });
    await client.stop();
    expect(await client.move("reverseContinue")).toMatchObject({ reason: "step" });
    expect(await client.move("continue")).toMatchObject({ reason: "exception" });
    expect(await client.move("stepBack")).toMatchObject({ reason: "step" });
    expect(await client.move("next")).toMatchObject({ reason: "step" });
    expect(await client.move("next")).toMatchObject({ reason: "exception" });
    await client.ask("next", { threadId: 1 });
    expect(await client.event("exited")).toEqual({ exitCode: 4 });
  });

  it("says nothing of logpoints that a step back comes to", async () => {
    const client = await Client.launch(walk, walking);
    await client.break(37);
    await client.move("continue");
    await client.break({ line: 9, logMessage: "in" }, { line: 36, logMessage: "{before}" });
    await client.move("stepBack");
    expect(client.output()).toBe("");
    await client.move("next");
    expect(client.output()).toBe("in\n");
  });
});

describe("progress", () => {
  /** What is told at looks at these times, milliseconds, by a motion that begins at the first and ends behind the last. */
  function told([began = 0, ...looks]: readonly number[], can: boolean = true): unknown[] {
    let time = began;
    const all: unknown[] = [];
    const progress = progressOf("motion 1", {
      now: () => time,
      can,
      message: () => `at ${time}`,
      event: (name, body) => all.push([name, body]),
    });
    for (const look of looks) {
      time = look;
      progress.show();
    }
    progress.end();
    return all;
  }
  const start = (at: number) => [
    "progressStart",
    { progressId: "motion 1", title: "running", cancellable: true, message: `at ${at}` },
  ];
  const update = (at: number) => ["progressUpdate", { progressId: "motion 1", message: `at ${at}` }];
  const end = ["progressEnd", { progressId: "motion 1" }];

  it.each<[looks: readonly number[], expected: readonly unknown[]]>([
    [[0], []],
    [[0, 500, 999], []],
    [[5000, 5999], []],
    [
      [5000, 6000, 6499, 6500, 6999, 7000],
      [start(6000), update(6500), update(7000), end],
    ],
    [
      [9, 1008, 1009],
      [start(1009), end],
    ],
  ])("of looks at %j is told once a second has passed, then twice a second", (looks, expected) => {
    expect(told(looks)).toEqual(expected);
  });

  it("is not told to who cannot show it", () => expect(told([0, 2000, 4000], false)).toEqual([]));

  it.each([true, false, undefined, "nothing"])(
    "is shown by a client that says %j to it",
    async (supportsProgressReporting) => {
      const client = new Client({ io: { ...silent, cwd: "/", now: looking(300) } });
      if (supportsProgressReporting !== "nothing") await client.ask("initialize", { supportsProgressReporting });
      client.send("launch", { text: endless, maxSteps: 20_000 });
      await client.event("initialized");
      await client.ask("configurationDone");
      await client.stop();
      const all = client.order();
      expect(all.includes("progressStart!")).toBe(supportsProgressReporting === true);
      expect(all.includes("progressEnd!")).toBe(supportsProgressReporting === true);
    },
  );

  it("has an id for each motion", async () => {
    const client = new Client({ io: { ...silent, cwd: "/", now: looking(300) } });
    await client.begin({ text: endless, maxSteps: 20_000, stopOnEntry: true });
    await client.break(9);
    await client.move("continue");
    await client.break();
    await client.move("continue");
    const ids = client.messages.flatMap(({ body, event }) =>
      event === "progressStart" ? [(body as { progressId: string }).progressId] : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("a motion", () => {
  const end: DebugStop = { reason: "exit" } as unknown as DebugStop;
  const interrupted: DebugStop = { reason: "interrupt" } as unknown as DebugStop;
  /** Stops behind so many pieces, or where it is told to. */
  function* pieces(count: number): Motion {
    for (let at = 0; at < count; at++) if (yield) return interrupted;
    return end;
  }
  const never = () => Promise.reject(new Error("nobody rests"));

  it.each([
    [10, 3, 3],
    [7, 3, 3],
    [7, 2, 3],
    [5, 8, 5],
    [4, 6, 6],
    [1, 63, 21],
  ])(
    "whose clock goes on by %i ms a piece lets others in after 20 ms: %i pieces, every %i",
    async (by, count, every) => {
      let rests = 0;
      const rest = async () => void rests++;
      const mover = new Mover({ io: { ...silent, cwd: "/", now: slowly(by) }, send: () => {}, rest });
      expect(await mover.drive(pieces(count))).toBe(end);
      expect(rests).toBe(Math.floor(count / every));
    },
  );

  /** A clock that goes on at each look of a piece; the look behind a rest gives the same time again. */
  function slowly(by: number): () => number {
    let time = -by;
    let began = 0;
    return () => {
      if (time - began > 20) began = time;
      else time += by;
      return time;
    };
  }

  it("ends at once where its client is gone", async () => {
    const mover = new Mover({ io: { ...silent, cwd: "/" }, send: () => {}, rest: never });
    mover.close();
    expect(await mover.drive(pieces(3))).toBe(interrupted);
    expect(mover.moving).toBe(false);
  });

  it.each<[told: "stop" | "renew", again: boolean, expected: DebugStop, begun: number]>([
    ["stop", true, interrupted, 0],
    ["stop", false, interrupted, 0],
    ["renew", true, end, 1],
    ["renew", false, end, 0],
  ])("that is told to %s, and can be made anew: %s", async (told, again, expected, begun) => {
    let made = 0;
    const rest = async () => {
      // Whoever is told twice does what it was told first.
      mover[told]();
      mover.renew();
      expect(mover.moving).toBe(true);
    };
    const mover = new Mover({ io: { ...silent, cwd: "/", now: looking(11) }, send: () => {}, rest });
    const anew = () => {
      made++;
      return pieces(1);
    };
    expect(await mover.drive(pieces(4), again ? anew : undefined)).toBe(expected);
    expect(made).toBe(begun);
  });

  it("that is over is not made anew", () => {
    const mover = new Mover({ io: { ...silent, cwd: "/" }, send: () => {}, rest: never });
    mover.renew();
    expect(mover.moving).toBe(false);
  });
});
