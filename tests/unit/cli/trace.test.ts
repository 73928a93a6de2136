import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/trace-1.json" with { type: "json" };
import { violations } from "./json-schema.ts";
import { twice, World } from "./world.ts";

/** Lanes 0 and 1 go apart at a branch, meet, and lane 1 hands its value to lane 0. */
const meeting = `.version 8.0
.target sm_80
.address_size 64
.visible .entry meeting()
{
  .reg .pred %p<2>; .reg .b32 %r<5>;
  .shared .b32 s[2];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra even;
  mov.u32 %r2, 7;
  bra.uni both;
even:
  mov.u32 %r2, 5;
both:
  shfl.sync.idx.b32 %r3, %r2, 1, 31, 3;
  @!%p1 add.u32 %r3, %r3, 1;
  bar.sync 0;
  ret;
}
`;
const world = new World().write("twice.ptx", twice).write("meeting.ptx", meeting).write("shouts.ptx", "trap;\n");
afterAll(() => world.remove());

type Line = Record<string, unknown>;
const lines = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const trace = async (...argv: string[]) => {
  const { exit, out, err } = await world.ptxrun(["trace", ...argv]);
  return { exit, err, lines: out === "" ? [] : lines(out) };
};
const two = ["twice.ptx", "--block", "2", "-a", "x=f32x2:1,3", "-a", "y=f32x2", "-a", "n=2"];

describe("a trace", () => {
  it("begins with its schema, has a line an instruction and ends with the stop", async () => {
    const { exit, err, lines } = await trace("-e", "add.f16 d, a, b;", "-r", "a=1", "-r", "b=2");
    expect([exit, err]).toEqual([0, ""]);
    expect(lines).toEqual([
      { schema: "ptxrun.trace/1", source: "-e", kernel: "" },
      {
        step: 0,
        block: 0,
        warp: 0,
        pc: 0,
        line: 1,
        opcode: "add.f16",
        text: "add.f16 d, a, b;",
        active: "0x00000001",
        lanes: [{ thread: 0, operands: ["0x3c00", "0x4000"], results: ["0x4200"] }],
      },
      expect.objectContaining({ step: 1, opcode: "exit", lanes: [{ thread: 0, operands: [] }] }),
      { stop: { reason: "exit" }, steps: 2, exit: 0, diagnostics: [] },
    ]);
  });

  it("has the values of each lane and where it reads and writes memory", async () => {
    const { lines } = await trace(...two, "--opcode", "*.global.f32");
    const [load, store] = lines.slice(1, -1);
    const [first, second] = load!["lanes"] as { results: string[]; memory: { address: string } }[];
    expect([first?.results, second?.results]).toEqual([["0x3f800000"], ["0x40400000"]]);
    expect(load).toMatchObject({ opcode: "ld.global.f32", active: "0x00000003" });
    expect(first?.memory).toMatchObject({ space: "global", bytes: 4 });
    expect(BigInt(second?.memory.address ?? 0) - BigInt(first?.memory.address ?? 0)).toBe(4n);
    expect(store).toMatchObject({ lanes: [{ operands: [expect.any(String), "0x40000000"] }, {}] });
    expect(store?.["lanes"]).not.toEqual(expect.arrayContaining([expect.objectContaining({ results: [] })]));
  });

  it("shows divergence, guards and waiting", async () => {
    const { lines } = await trace("meeting.ptx", "--block", "2");
    const of = (opcode: string) => lines.filter((line) => line["opcode"] === opcode);
    expect(of("bra")).toMatchObject([{ active: "0x00000003", taken: "0x00000001", lanes: [{ thread: 0 }] }]);
    expect(of("mov.u32").map((line) => line["active"])).toEqual(["0x00000003", "0x00000002", "0x00000001"]);
    expect(of("shfl.sync.idx.b32").flatMap((line) => line["lanes"])).toEqual([
      { thread: 0, operands: ["0x00000005", "0x00000001", "0x0000001f", "0x00000003"], results: ["0x00000007"] },
      { thread: 1, operands: ["0x00000007", "0x00000001", "0x0000001f", "0x00000003"], results: ["0x00000007"] },
    ]);
    expect(of("add.u32")).toMatchObject([
      { active: "0x00000003", taken: "0x00000002", lanes: [{ thread: 1, results: ["0x00000008"] }] },
    ]);
  });

  it("has the carry flag before and after what reads and sets it", async () => {
    const { lines } = await trace("-e", "add.cc.u32 c, a, b; addc.u32 d, a, b;", "-r", "a=0xffffffff", "-r", "b=2");
    const lanes = lines.slice(1, 3).map((line) => (line["lanes"] as Line[]).at(0));
    expect(lanes).toMatchObject([
      { results: ["0x00000001"], carryOut: 1 },
      { results: ["0x00000002"], carryIn: 1 },
    ]);
    expect(lanes.map((each) => Object.keys(each ?? {}).filter((key) => key.startsWith("carry")))).toEqual([
      ["carryOut"],
      ["carryIn"],
    ]);
  });

  it("gives predicates, vectors and 64-bit registers their own widths", async () => {
    const text = ".reg .pred p; .reg .b64 q; setp.lt.u32 p, a, 2; mov.b64 q, {a, b}; mov.b64 {c, d}, q;";
    const { lines } = await trace("-e", text, "-r", "a=1", "-r", "b=2");
    expect(lines.slice(1, 4).map((line) => (line["lanes"] as Line[]).at(0))).toEqual([
      { thread: 0, operands: ["0x00000001", "0x00000002"], results: ["0x1"] },
      { thread: 0, operands: [["0x00000001", "0x00000002"]], results: ["0x0000000200000001"] },
      { thread: 0, operands: ["0x0000000200000001"], results: [["0x00000001", "0x00000002"]] },
    ]);
  });

  it("follows one thread, one label, one opcode, for so many lines", async () => {
    const threads = await trace(...two, "--thread", "0/1");
    const told = threads.lines.slice(1, -1).flatMap((line) => (line["lanes"] as Line[]).map((each) => each["thread"]));
    // 13 instructions, one of which is a branch's guard that fails.
    expect(told).toEqual(Array(12).fill(1));
    expect(threads.lines).toHaveLength(2 + 13);
    const label = await trace("meeting.ptx", "--block", "2", "--label", "even");
    expect(label.lines.slice(1, -1).map((line) => line["text"])).toEqual(["mov.u32 %r2, 5;"]);
    const opcode = await trace(...two, "--opcode", "ld");
    expect(opcode.lines.slice(1, -1).map((line) => line["opcode"])).toEqual([
      "ld.param.u32", "ld.param.u64", "ld.param.u64", "ld.global.f32",
    ]); // biome-ignore format: a list of names
    const limited = await trace(...two, "--limit", "3");
    expect(limited.lines.slice(1, -1).map((line) => line["step"])).toEqual([0, 1, 2]);
    expect(limited.lines.at(-1)).toMatchObject({ stop: { reason: "limit" }, steps: 3, exit: 0 });
  });

  it("shows the instruction that a fault ends, and exits as a run does", async () => {
    const { exit, err, lines } = await trace("-e", "mov.u32 a, 1; ld.global.u32 b, [q];", "-r", "q=16");
    expect(exit).toBe(4);
    expect(err).toContain("PTX3002");
    expect(lines.at(-2)).toMatchObject({
      opcode: "ld.global.u32",
      completed: false,
      lanes: [{ operands: ["0x0000000000000010"] }],
    });
    expect(lines.at(-1)).toMatchObject({
      stop: { reason: "trap", code: "PTX3002" },
      exit: 4,
      diagnostics: [{ line: 1 }],
    });
    expect((await trace("-e", "L: bra L;", "--max-steps", "50")).lines).toHaveLength(52);
    expect((await trace("-e", "L: bra L;", "--max-steps", "50")).exit).toBe(6);
  });

  it("goes into a file", async () => {
    const { exit, lines: printed } = await trace("-e", "exit;", "-o", "trace.jsonl");
    expect([exit, printed]).toEqual([0, []]);
    expect(lines(readFileSync(join(world.folder, "trace.jsonl"), "utf8"))).toHaveLength(3);
    expect((await trace("-e", "exit;", "-o", "no/such/folder")).exit).toBe(2);
  });

  it.each([
    ["a file that is not there", ["nothing.ptx"], 2, "PTX2011"],
    ["rejected PTX", ["-e", "add.rz.f16 d, a, b;"], 3, "PTX1203"],
    ["several seeds", ["shouts.ptx", "--seeds", "1..2"], 2, "PTX2003"],
    ["a label that is not there", ["meeting.ptx", "--label", "evn"], 2, "PTX2211"],
    ["an opcode that is not there", ["meeting.ptx", "--opcode", "st.*"], 2, "PTX2211"],
    ["a thread that is not there", ["meeting.ptx", "--thread", "0/5"], 2, "PTX2003"],
  ])("draws a diagnostic for %s", async (_, argv, code, diagnostic) => {
    const { exit, err, lines } = await trace(...argv);
    expect([exit, lines]).toEqual([code, []]);
    expect(err).toContain(diagnostic);
  });

  it.each([
    ["a module", two],
    ["lanes that meet", ["meeting.ptx", "--block", "2"]],
    ["a limit", [...two, "--limit", "1"]],
    ["a fault", ["shouts.ptx"]],
    ["notes", ["-e", "add.f16 d, a, b;"]],
  ])("of %s fits schema/trace-1.json", async (_, argv) => {
    const { lines } = await trace(...argv);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.flatMap((line) => violations(line, schema))).toEqual([]);
    expect(violations({ ...lines[1], step: -1 }, schema)).not.toEqual([]);
  });
});
