import { describe, expect, it } from "vitest";
import { silent } from "../../../../tests/unit/cli/world.ts";
import { type Counting, countingOf, forClient, fromClient } from "../../dap/counting.ts";
import { readLaunch } from "../../dap/protocol/launch-arguments.ts";
import { DapError } from "../../dap/protocol/problem.ts";
import type { World } from "../../dap/world.ts";

const world: World = {
  io: { ...silent, cwd: "/" },
  send: () => {},
  rest: async () => {},
  readArgs: (words) => ({ arg: [...words], smem: 1 }),
  wordsOfCase: (file, name) => [`${file} ${name ?? "first"}`],
};
const nobody: World = { io: world.io, send: world.send, rest: world.rest };

const options = (given: object) =>
  readLaunch({ text: "", ...given }, world).options as unknown as Record<string, unknown>;
const meant = 'args takes words of the command line, as ["--block", "32"]; did you mean arg, which takes parameters?';
const none = { mem: false, init: false, sync: false, race: false, bounds: false };
const extent = (x: number, y: number = 1, z: number = 1) => [x, y, z];

describe("the words of a launch", () => {
  it.each<[name: string, value: unknown, expected: unknown]>([
    ["arg", { x: "u32x4", n: 7 }, ["x=u32x4", "n=7"]],
    ["arg", {}, []],
    ["arg", "n=7", ["n=7"]],
    ["reg", ["%r1=7"], ["%r1=7"]],
    ["global", { table: "@table.npy" }, ["table=@table.npy"]],
    ["entry", "walk", "walk"],
    ["grid", 4, extent(4)],
    ["grid", [4, 2], extent(4, 2)],
    ["block", "4,2,3", extent(4, 2, 3)],
    ["cluster", [2, 1, 1], extent(2)],
    ["smem", "48K", 48 * 1024],
    ["smem", 48, 48],
    ["stack", "64K", 64 * 1024],
    ["cooperative", true, true],
    ["cooperative", false, false],
    ["target", "sm_90", "sm_90"],
    ["arch", "sm_90a", "sm_90a"],
    ["ptx", "8.8", "8.8"],
    ["ptx", 8.8, "8.8"],
    ["grf", 32, 32],
    ["grf", "64", 64],
    ["maxSteps", "100M", 100_000_000],
    ["maxMem", "1G", 2 ** 30],
    ["memory", "kept.bin", "kept.bin"],
    ["timeout", "10s", 10_000],
    ["sourceDir", "src", ["src"]],
    ["sourceDir", ["src", "lib"], ["src", "lib"]],
    ["schedule", "random:7", { seed: 7 }],
    ["async", "early", { when: "early" }],
    ["platform", "DG2", expect.anything()],
    ["sanitize", "race", { ...none, race: true }],
    ["sanitize", "none", none],
  ])("%s: %j is %j", (name, value, expected) => expect(options({ [name]: value })[name]).toEqual(expected));

  it.each<[name: string, value: unknown, takes: RegExp]>([
    ["arg", 7, /parameters/],
    ["arg", [7], /parameters/],
    ["arg", { x: [] }, /parameters/],
    ["reg", true, /registers/],
    ["global", [["x"]], /variables/],
    ["entry", 7, /a kernel's name/],
    ["grid", [4, "x"], /blocks/],
    ["block", true, /threads of a block/],
    ["cluster", {}, /blocks of a cluster/],
    ["smem", [48], /bytes/],
    ["stack", "much", /bytes/],
    ["cooperative", 1, /true or false/],
    ["ptx", true, /"8.8" and the like/],
    ["platform", "none", /a platform of vISA/],
    ["grf", 48, /32 or 64/],
    ["grf", "16", /32 or 64/],
    ["maxSteps", "-1", /a count/],
    ["timeout", "soon", /a time/],
    ["sourceDir", [7], /folders/],
  ])("%s takes no %j", (name, value, takes) => {
    const text = `${name} takes `;
    const refused = () => options({ [name]: value });
    expect(refused).toThrow(takes);
    expect(refused).toThrow(text);
    expect(refused).toThrow(`, not ${JSON.stringify(value)}`);
  });

  it("are what they are without any", () => {
    expect(readLaunch({ text: "t" }, nobody)).toEqual({
      options: {
        sanitize: { mem: true, init: true, sync: true, race: false },
        format: "text",
        color: "never",
      },
      showing: {
        program: undefined,
        text: "t",
        level: "ptx",
        stopOnEntry: false,
        stopAtEnd: false,
        noDebug: false,
      },
    });
  });

  it.each(["stopOnEntry", "stopAtEnd", "noDebug"] as const)("say %s", (name) => {
    const said = (value: unknown) => readLaunch({ program: "p", [name]: value }, nobody).showing;
    expect(said(true)).toMatchObject({ program: "p", text: undefined, [name]: true });
    expect(said("true")[name]).toBe(false);
  });

  it("come from a case, then from args, then by their names; lists together, extents each by itself", () => {
    expect(readLaunch({ program: "p", case: "c", args: "d e", arg: "f", smem: 9 }, world).options).toMatchObject({
      arg: ["d", "e", "f"],
      smem: 9,
    });
    expect(options({ args: [" "], reg: "r" })).toMatchObject({ arg: [" "], reg: ["r"], smem: 1 });
    expect(readLaunch({ program: "p", case: true }, world).options).toMatchObject({ arg: ["p first"] });
    expect(readLaunch({ program: "p", case: "c" }, world).options).toMatchObject({ arg: ["p c"] });
    const extents: World = { ...world, readArgs: () => ({ grid: [1, 2, 3], block: [4, 5, 6], cluster: [7, 8, 9] }) };
    const given = { text: "", args: "x", grid: 2, block: 2, cluster: 2 };
    expect(readLaunch(given, extents).options).toMatchObject({ grid: [2, 1, 1], block: [2, 1, 1], cluster: [2, 1, 1] });
  });

  it.each<[given: object, expected: string]>([
    [{}, 'there is nothing to launch: give "program", a .ptx file, or "text"'],
    [{ text: "", program: 7 }, "program takes a text"],
    [{ program: "p", text: 7 }, "text takes a text"],
    [{ text: "", level: "sass" }, 'level takes "ptx" or "original"'],
    [{ text: "", grids: 7 }, "grids is not an option of a launch; did you mean grid?"],
    [{ text: "", qqqqqqqq: 7 }, "qqqqqqqq is not an option of a launch"],
    [{ text: "", case: "c" }, "case needs program, the file that it is in"],
    [{ program: "p", case: 7 }, "case takes the name of a case, or true for the first"],
    [{ program: "p", case: true }, "case is not read here; give the options by their names"],
    [{ text: "", args: 7 }, 'args takes words of the command line, as ["--block", "32"]'],
    [{ text: "", args: [7] }, 'args takes words of the command line, as ["--block", "32"]'],
    [{ text: "", args: { x: "u32x4" } }, meant],
    [{ text: "", args: ["n=7"] }, meant],
    [{ text: "", args: "n=7 m=8" }, meant],
    [{ text: "", argz: ["n=7"] }, "argz is not an option of a launch; did you mean arg?"],
    [{ text: "", args: "x" }, "args is not read here; give the options by their names"],
  ])("%j are refused", (given, expected) => {
    expect(() => readLaunch({ ...given }, nobody)).toThrow(new DapError(expected));
  });

  it.each([{ args: [] }, { cwd: "/", type: "ptx", env: {}, __x: 1 }, { grid: null, arg: undefined }])(
    "%j say nothing",
    (given) => expect(readLaunch({ text: "", ...given }, nobody)).toEqual(readLaunch({ text: "" }, nobody)),
  );
});

describe("lines and columns", () => {
  const here = { line: 5, endLine: 6, column: 7, endColumn: 8, other: 9, list: [{ line: 1 }], text: { line: "x" } };

  it.each<[said: object, counting: Counting, there: object]>([
    [{}, { lines: 1, columns: 1 }, here],
    [{ linesStartAt1: true, columnsStartAt1: true }, { lines: 1, columns: 1 }, here],
    [{ linesStartAt1: false }, { lines: 0, columns: 1 }, { ...here, line: 4, endLine: 5, list: [{ line: 0 }] }],
    [{ columnsStartAt1: false }, { lines: 1, columns: 0 }, { ...here, column: 6, endColumn: 7 }],
    [
      { linesStartAt1: false, columnsStartAt1: false },
      { lines: 0, columns: 0 },
      { ...here, line: 4, endLine: 5, column: 6, endColumn: 7, list: [{ line: 0 }] },
    ],
  ])("of a client that says %j are counted as it does", (said, counting, there) => {
    expect(countingOf({ ...said })).toEqual(counting);
    expect(forClient(here, counting)).toEqual(there);
    expect(fromClient(there, counting)).toEqual(here);
  });
});
