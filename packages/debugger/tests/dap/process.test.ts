import { statSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { DebugClient } from "@vscode/debugadapter-testsupport";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Framing, framed } from "../../../../src/system/framing.ts";
import { Bundle } from "../../../../tests/unit/cli/bundle.ts";
import { World } from "../../../../tests/unit/cli/world.ts";
import { endless, walk } from "./programs.ts";

const world = new World();
let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
  world.write("walk.ptx", `${walk}//@ args: --block 32\n//@ case iota: x=u32x32:iota n=32 -> x=u32:0,6\n`);
  // The client gives a script no arguments.
  world.write("dap.cjs", `process.argv.push("dap"); require(${JSON.stringify(bundle.entry)});`);
});
afterAll(() => {
  bundle.remove();
  world.remove();
});

describe("ptxrun dap", () => {
  it("holds a session with a client of editors on standard input and output", async () => {
    const client = new DebugClient(process.execPath, join(world.folder, "dap.cjs"), "ptx", { cwd: world.folder });
    await client.start();
    try {
      const capabilities = await client.initializeRequest();
      expect(capabilities.body?.supportsStepBack).toBe(true);
      const program = join(world.folder, "walk.ptx");
      const launched = client.launchRequest({ program, arg: { x: "u32x32:iota", n: 32 }, block: 32 } as never);
      await client.waitForEvent("initialized");
      const points = await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: 36 }] });
      expect(points.body.breakpoints).toMatchObject([{ verified: true, line: 36 }]);
      const stopped = client.waitForEvent("stopped");
      await client.configurationDoneRequest();
      await launched;
      expect((await stopped).body).toMatchObject({ reason: "breakpoint", threadId: 1 });
      const frame = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];
      expect(frame).toMatchObject({ line: 36, source: { path: program } });
      await Promise.all([
        client.assertStoppedLocation("step", { path: program, line: 9 }),
        client.stepInRequest({ threadId: 1 }),
      ]);
      await Promise.all([
        client.assertStoppedLocation("step", { path: program, line: 36 }),
        client.stepBackRequest({ threadId: 1 }),
      ]);
      const evaluated = await client.evaluateRequest({ expression: "%r3", context: "hover" });
      expect(evaluated.body.result).toMatch(/^0 /);
      await Promise.all([client.waitForEvent("terminated"), client.continueRequest({ threadId: 1 })]);
    } finally {
      await client.stop();
    }
  });

  it("ends what runs when its client is gone", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    let told = "";
    output.on("data", (piece: Buffer) => {
      told += piece.toString();
    });
    let looks = 0;
    const now = (): number => {
      looks++;
      return performance.now();
    };
    const served = world.ptxrun(["dap"], { streams: () => ({ input, output }), now });
    for (const [seq, command, given] of [
      [1, "initialize", {}],
      [2, "launch", { text: endless }],
      [3, "configurationDone", {}],
    ] as const)
      input.write(framed({ seq, type: "request", command, arguments: given }));
    while (!told.includes('"process"')) await setTimeout(5);
    while (looks === 0) await setTimeout(5);
    input.end();
    expect((await served).exit).toBe(0);
    // One that goes on looks at the clock in each of its pieces.
    for (let before = -1; before !== looks; await setTimeout(100)) before = looks;
  });

  it("ends when messages cannot be told apart any more", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = world.ptxrun(["dap"], { streams: () => ({ input, output }) });
    input.write(`Content-Length: ${2 ** 24 + 1}\r\n\r\n`);
    expect(await served).toMatchObject({ exit: 2, err: "ptxrun dap: a message of more than 16777216 bytes\n" });
    expect(input.destroyed).toBe(true);
  });

  it("says where it cannot listen, and ends", async () => {
    const { exit, err } = await world.ptxrun(["dap", "--socket", "no/such/adapter"]);
    expect(exit).toBe(2);
    expect(err).toMatch(/^ptxrun dap: cannot listen at .*no\/such\/adapter: .+\n$/);
  });

  it("ends without a client, and with one whose stream breaks", async () => {
    expect(await world.ptxrun(["dap"])).toMatchObject({ exit: 0, out: "", err: "" });
    for (const broken of ["input", "output"] as const) {
      const streams = { input: new PassThrough(), output: new PassThrough() };
      const served = world.ptxrun(["dap"], { streams: () => streams });
      streams[broken].destroy(new Error("gone"));
      expect((await served).exit, broken).toBe(0);
    }
  });

  it("passes over a message that is none", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = world.ptxrun(["dap"], { streams: () => ({ input, output }) });
    input.write("Content-Length: 1\r\n\r\n{");
    const { answer } = talking(input, output);
    expect(await answer({ seq: 1, type: "request", command: "disconnect" })).toMatchObject({ success: true });
    expect(await served).toMatchObject({ exit: 0, err: expect.stringMatching(/^ptxrun dap: .+\n$/) });
  });

  it("serves one client after the other on a socket", async () => {
    let end: () => void = () => {};
    let said = "";
    const served = world.ptxrun(["dap", "--socket", "adapter"], {
      err: (text) => {
        said += text;
      },
      onSignal: (act) => {
        end = () => act("SIGTERM");
        return () => {};
      },
    });
    while (!said.includes("listening at")) await setTimeout(5);
    // Nobody else reads and writes it.
    expect(statSync(join(world.folder, "adapter")).mode & 0o777).toBe(0o700);
    for (const seq of [1, 2]) {
      const { socket, answer } = ask(join(world.folder, "adapter"));
      expect(await answer({ seq, type: "request", command: "initialize" })).toMatchObject({
        request_seq: seq,
        success: true,
        body: { supportsStepBack: true },
      });
      expect(await answer({ seq, type: "request", command: "disconnect" })).toMatchObject({ success: true });
      socket.end();
    }
    end();
    expect((await served).exit).toBe(0);
  });

  it.each([
    [["--block", "32", "-a", "x=u32x32:iota", "-a", "n=3"], /^3 /],
    ["--block 32 -a x=u32x32:iota -a n=4", /^4 /],
  ])("reads args as the command line does: %j", async (args, expected) => {
    expect(await worthOf("n", { program: "walk.ptx", args })).toMatch(expected);
  });

  it("launches a case by its name, or the first", async () => {
    expect(await worthOf("n", { program: "walk.ptx", case: "iota" })).toMatch(/^32 /);
    expect(await worthOf("n", { program: "walk.ptx" }, "attach")).toMatch(/^32 /);
  });

  it.each([
    [{ program: "walk.ptx", case: "jota" }, /no case jota.*iota/],
    [{ program: "walk.ptx", args: ["--blok", "3"] }, /unknown option '--blok'/],
    [{ program: "none.ptx" }, /PTX2011.*none\.ptx/],
  ])("says what is wrong with %j", async (given, expected) => {
    await expect(worthOf("n", given)).rejects.toThrow(expected);
  });
});

/** A session of a client that looks at one value where the program begins. */
async function worthOf(expression: string, given: object, command: string = "launch"): Promise<string> {
  const { PassThrough } = await import("node:stream");
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = world.ptxrun(["dap"], { streams: () => ({ input, output }) });
  const { answer, event } = talking(input, output);
  await answer({ seq: 1, type: "request", command: "initialize" });
  const launched = answer({ seq: 2, type: "request", command, arguments: { stopOnEntry: true, ...given } });
  const first = await Promise.race([launched, event("initialized")]);
  if (first["success"] === false) throw new Error(String(first["message"]));
  await answer({ seq: 3, type: "request", command: "configurationDone" });
  await event("stopped");
  const got = await answer({ seq: 4, type: "request", command: "evaluate", arguments: { expression } });
  await answer({ seq: 5, type: "request", command: "disconnect" });
  input.end();
  await served;
  return (got["body"] as { result: string }).result;
}

function ask(path: string) {
  const socket: Socket = createConnection(path);
  return { socket, ...talking(socket, socket) };
}

/** Sends messages and waits for what belongs to them. */
function talking(input: NodeJS.WritableStream, output: NodeJS.ReadableStream) {
  type Message = Readonly<Record<string, unknown>>;
  const all: Message[] = [];
  const framing = new Framing(
    (message) => all.push(message as Message),
    (why) => {
      throw new Error(why);
    },
  );
  output.on("data", (piece: Buffer) => framing.push(piece));
  const find = async (is: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = all.find(is);
      if (found !== undefined) return found;
      await setTimeout(2);
    }
  };
  return {
    answer: (message: Message) => {
      input.write(framed(message));
      return find((each) => each["request_seq"] === message["seq"] && each["command"] === message["command"]);
    },
    event: (name: string) => find((each) => each["event"] === name),
  };
}
