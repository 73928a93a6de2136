import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlanShape } from "../../../src/interp/contract/plan/plan.ts";
import type { ShapeTable } from "../../../src/interp/contract/plan/shapes/shape-facts.ts";
import {
  type CollectiveShape,
  type ControlShape,
  type HoldShape,
  type StepShape,
  shapes,
} from "../../../src/interp/contract/plan/shapes.ts";
import { sourceFiles } from "../../folders.ts";

const src = resolve(import.meta.dirname, "../../../src");

// An absent shape does not compile; a shape is a step, a collective or control, and only one of them.
const { gap: _, ...others } = shapes;
// @ts-expect-error: the table has no gap
const short: ShapeTable = others;
const classes: {
  either: Same<StepShape | CollectiveShape | HoldShape | ControlShape, PlanShape>;
  both: Same<(StepShape & ControlShape) | (StepShape & CollectiveShape) | (ControlShape & CollectiveShape), never>;
  held: Same<HoldShape & (StepShape | CollectiveShape | ControlShape), never>;
} = { either: true, both: true, held: true };
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

describe("the table of shapes", () => {
  it("has every shape, each as a step, as a collective or as control, which the compiler says", () => {
    expect(Object.keys(short)).toHaveLength(Object.keys(shapes).length - 1);
    expect(classes).toEqual({ either: true, both: true, held: true });
  });
});

/** A new shape of each kind, its entry, and the files that have to know it. */
const kinds: readonly (readonly [name: string, entry: string, files: readonly string[]])[] = [
  ["stepping", '{ ...step, reach: "beyond", writes: 0, says: "hello" }', ["interp/javascript/bind.ts"]],
  ["meeting", '{ ...collective, reach: "beyond", writes: 0, says: "hello" }', ["interp/javascript/bind/collective.ts"]],
  ["holding", '{ ...hold, reach: "beyond", writes: 0, says: "hello" }', ["interp/javascript/linked-code.ts"]],
  ["leaving", '{ ...control, next: "on", reach: "beyond", writes: 0, says: "hello" }', ["interp/warp/control.ts"]],
  [
    "computing",
    '{ ...step, reach: "beyond", writes: 0, says: "computed" }',
    ["interp/javascript/bind.ts", "present/working/plan.ts"],
  ],
];

describe("a new shape", () => {
  const home = mkdtempSync(join(tmpdir(), "ptxrun-shapes-"));
  const copy = (file: string): string => join(home, "src", file);
  const compiled = [
    "interp/javascript/bind.ts",
    "interp/javascript/bind/collective.ts",
    "interp/javascript/linked-code.ts",
    "interp/warp/control.ts",
    "present/working/plan.ts",
  ];

  beforeAll(() => {
    cpSync(src, join(home, "src"), { recursive: true });
    cpSync(resolve(src, "../packages"), join(home, "packages"), { recursive: true });
    writeFileSync(
      join(home, "tsconfig.json"),
      JSON.stringify({
        extends: resolve(src, "../tsconfig.json"),
        compilerOptions: { noEmit: true, types: [], rootDir: "." },
        files: compiled.map((file) => `src/${file}`),
        include: [],
      }),
    );
    const plan = copy("interp/contract/plan/plan.ts");
    const text = readFileSync(plan, "utf8");
    const fresh = kinds.map(([name]) => `\n  | { readonly shape: "${name}" }`).join("");
    writeFileSync(plan, text.replace("export type Plan =", `export type Plan =${fresh}`));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  /** The files in which the compiler misses something by the name of each new shape. */
  function missing(entries: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const table = readFileSync(join(src, "interp/contract/plan/shapes.ts"), "utf8");
    const grown = table
      .replace("import { collective, control, step }", "import { collective, control, hold, step }")
      .replace("export const shapes = {", ["export const shapes = {", ...entries].join("\n  "));
    writeFileSync(copy("interp/contract/plan/shapes.ts"), grown);
    const tsc = resolve(src, "../node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", home, "--pretty", "false"], { encoding: "utf8" });
    const found = kinds.map(([name]) => {
      const files = [...stdout.matchAll(new RegExp(`^(?:.*/)?src/([\\w/-]+\\.ts)\\(.*'?${name}\\b`, "gm"))];
      return [name, [...new Set(files.map(([, file]) => file ?? ""))].sort()] as const;
    });
    return new Map(found);
  }

  it("does not compile without an entry in the table", () => {
    for (const files of missing([]).values()) expect(files).toContain("interp/contract/plan/shapes.ts");
  });

  it("does not compile where its entry does not say how far it reaches", () => {
    const silent = kinds.map(([name, entry]) => `${name}: ${entry.replace('reach: "beyond", ', "")},`);
    for (const files of missing(silent).values()) expect(files).toContain("interp/contract/plan/shapes.ts");
  });

  it("needs besides nothing but what its entry asks for", () => {
    const wanted = new Map(kinds.map(([name, , files]) => [name, files]));
    expect(missing(kinds.map(([name, entry]) => `${name}: ${entry},`))).toEqual(wanted);
  });
});

describe("shapes of plans", () => {
  /** Where a plan's shape is asked for, and why the table does not answer. */
  const askers: Readonly<Record<string, string>> = {
    "interp/contract/plan/plan.ts": "says what the shapes are",
    "interp/contract/parameter-registers.ts": "finds the loads of parameters",
    "interp/contract/liveness.ts": "leaves alone what reaches registers otherwise than by operands",
    "interp/contract/plan/shapes/shape-facts.ts": "says what may be asked about them",
    "interp/contract/plan/shapes.ts": "is the table",
    "interp/contract/plan/reduction.ts": "knows which updates of memory give the same in any order",
    "interp/machine/launch.ts": "makes room for products of matrices",
    "interp/tools/race/race.ts": "knows what is no access of one lane after the other",
    "present/held.ts":
      "says which lane holds an element of a matrix, of which only multiplications and moves of lines have any",
    "interp/worker-pool/team.ts": "knows what reads the time, and whose result depends on the order of blocks",
    "interp/schedule/may-wait.ts": "tells what computes from what reads memory, to follow what is read",
    "interp/javascript/bind.ts": "binds steps, by a record that must be whole",
    "interp/javascript/bind/collective.ts": "binds collectives, by a record that must be whole",
    "interp/javascript/linked-code.ts": "binds what lanes wait behind, by a record that must be whole",
    "interp/javascript/matrix/watch-registers.ts":
      "finds the registers that wgmma works on, and tells moves from what computes",
    "interp/javascript/tensor-memory/watch-loads.ts": "knows a wait for loads from one for stores",
    "interp/warp/control.ts": "binds what ends a straight run, by a record that must be whole",
    "interp/compiled/segment/pure.ts": "says what registers get, by a record of the shapes that compiled code knows",
    "interp/compiled/segment/register-forms.ts":
      "leaves programs with calls alone, whose registers are written elsewhere",
    "interp/compiled/copies/copy-site.ts": "begins copies, and waits for their groups",
    "interp/compiled/segment/segment.ts": "takes loads and stores, which compiled code checks together",
    "interp/compiled/block/block-code.ts": "keeps in registers what a store has stored, for those who observe it",
    "interp/compiled/block/blocks.ts": "ends a block where compiled code knows what control does",
    "interp/compiled/running/fallback.ts": "learns from loads and stores which memory is clean",
    "interp/compiled/executor.ts": "leaves instructions of channels to JavaScript",
    "interp/compiled/module/program-code.ts":
      "asks whether anything happens between two turns, by the lists of such shapes",
    "present/working/instruction.ts": "reads the matrices of a multiplication, which alone have elements",
    "present/working/plan.ts": "works through what is computed, by a record that must be whole",
    "resolve/body/beyond-parameters.ts":
      "reports loads and stores, which alone say where they stay within what they name",
    "resolve/instruction/beyond.ts": "says of loads and stores whether they stay within the variable that they name",
    "resolve/instruction/instruction.ts": "makes another plan of a move from a special register that changes",
    "host/stats/requests.ts": "reads what lanes ask for by cp.async, which observers hear of later and together",
    "packages/lab/diff/origin/channels.ts": "says of what channels do which shape one thread's instruction has",
    "packages/lab/diff/origin/describe.ts": "names the variables of channels, which have no operands",
    "packages/lab/diff/origin/course.ts": "tells branches, which say where a thread went, from other instructions",
    "packages/lab/diff/origin/frontier.ts":
      "leaves the addresses of loads aside, which say where and not what, and tells what is computed from what only moves",
    "packages/lab/diff/origin/dataflow.ts":
      "follows a value back through what only hands it on: moves, loads of local memory, branches",
    "packages/lab/diff/origin/recorder.ts":
      "tells loads of what nobody else sees, and branches, from other instructions",
    "packages/lab/diff/origin/repair/repaired.ts":
      "tells branches, which send a thread another way, from what gives something else",
    "packages/lab/diff/origin/suspects.ts": "tells what decides where a thread goes, for which values say little",
    "packages/lab/diff/origin/write-log.ts": "tells atomics from stores, which write whatever was there",
    "explain/multiplied.ts":
      "tells the products of sparse and tensor memory's matrices, which are given in parts of their own",
    "packages/lab/precision/matrices.ts": "adds up the products of a multiplication, which alone have elements",
    "packages/lab/precision/moves.ts": "hands exact values on through moves, packs and selections, by a list of these",
    "packages/lab/precision/steps.ts":
      "chooses what happens to exact values, by a record of the shapes that it follows",
    "packages/lab/precision/watch.ts": "tells calls and returns, which hand values on, from other instructions",
    "resolve/lint/narrow-scope.ts": "tells fences, polls and stores of flags from other accesses",
    "resolve/lint/never-written.ts": "knows of the names in instructions that are not executed",
    "resolve/lint/parted.ts": "tells barriers, and branches by which threads part",
    "resolve/lint/thread-values.ts": "computes what registers hold in each thread, through moves, loads and branches",
    "resolve/lint/undeclared-bytes.ts": "looks at loads of parameters",
    "resolve/lint/vector-width.ts": "looks at loads and stores, which alone have vectors of registers",
    "packages/debugger/why/formula.ts":
      "writes an address as a formula, of what computes, through what only hands it on",
    "packages/debugger/why/leads.ts":
      "says which operands of an instruction count for its result, and how they are read",
    "packages/debugger/console/show/explain.ts": "reads the matrices of a multiplication, which alone have elements",
    "packages/debugger/console/show/written.ts": "names the variables that channels write, which have no operands",
    "packages/debugger/console/show/lanes.ts": "reads the fragments of a multiplication, which alone have them",
    "resolve/instruction/operand/opaque-pointer.ts": "makes another plan of a move of an opaque variable's address",
    "packages/memory-model/litmus/ptx/copies.ts":
      "tells copies apart by what they do to memory, which each kind says in its own words",
    "packages/memory-model/litmus/ptx/gathering.ts":
      "tells what threads bring to each other, which the memory model has no accesses for",
    "packages/memory-model/litmus/ptx/follow.ts":
      "knows of an atomic operation whether what it writes depends on what was there",
    "interp/weak/executor.ts": "tells accesses of memory, which weak memory serves, from what the other executor does",
    "packages/memory-model/litmus/ptx/mbarrier.ts": "says what an instruction does to the word of an mbarrier object",
    "packages/memory-model/litmus/ptx/meetings.ts": "tells barriers apart, which the memory model has by kind",
    "packages/memory-model/litmus/ptx/supported.ts":
      "names what one thread can do by itself though it goes beyond its block",
    "launch/find-register.ts": "asks for the names of a gap, which no other shape has",
    "resolve/module/unimplemented.ts": "notes the gaps of a module, which are nothing but gaps",
  };
  /** Rooms that no plan reaches, because they import nothing of interp: what is called a shape there is something else. */
  const below = ["src/source/", "src/lexer/", "src/parser/", "src/numeric/", "packages/demangle/"];
  /** A plan's shape as a value: a member, a variable of that name that is compared, one that is taken out of a plan, the type. */
  const asks = [
    /\bplan\??\.shape\b/,
    /\bshape\s*[!=]==?\s*["'`]/,
    /\bplan:\s*\{[^{}]*\bshape\b(?!:)/,
    /\{[^{}]*\bshape\b(?!:)[^{}]*\}\s*:\s*(?:Plan|Instruction)\b/,
    /\{[^{}]*\bshape\b(?!:)[^{}]*\}\s*=[^;]*\bplan\b/i,
    /\{[^{}]*\bPlanShape\b[^{}]*\}\s*from\s*"[^"]*\/plan\.ts"|\b[Pp]lan"?\]?\["shape"\]/,
  ];

  it("are asked for in a few files, so that no other list has to match the table", () => {
    const root = resolve(src, "..");
    const found = sourceFiles
      .filter((file) => !below.some((room) => file.startsWith(room)))
      .filter((file) => asks.some((pattern) => pattern.test(readFileSync(join(root, file), "utf8"))))
      .map((file) => file.replace(/^src\//, ""));
    expect(found.sort()).toEqual(Object.keys(askers).sort());
  });

  it.each([
    'if (plan.shape === "load") return;',
    "switch (instruction.plan?.shape) {",
    'const f = ({ shape }: Plan) => shape === "load" || shape === "store";',
    "const waits = ({ plan: { shape } }: Instruction): boolean => list.includes(shape);",
    "const { shape } = instruction.plan;",
    'import type { Plan, PlanShape } from "../contract/plan.ts";',
    'count = (...shapes: Instruction["plan"]["shape"][]) => 0;',
  ])("are found where one is asked for: %s", (text) => {
    expect(asks.some((pattern) => pattern.test(text))).toBe(true);
  });
});
