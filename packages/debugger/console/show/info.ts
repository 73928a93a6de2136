import type { Debugger } from "../../../../src/host/debugger/debugger.ts";
import { isElementType } from "../../../../src/host/index.ts";
import { readsCarry, writesCarry } from "../../../../src/interp/contract/plan/effects.ts";
import { spaceOf } from "../../../../src/interp/contract/window.ts";
import { weakLaunchOf } from "../../../../src/interp/create-session.ts";
import { rows } from "../../../../src/present/state.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import { laneRanges } from "../../../../src/present/text/lane-ranges.ts";
import { hex, number } from "../../../../src/present/value.ts";
import { nearest } from "../../../../src/resolve/nearest.ts";
import { demangle } from "../../../demangle/src/index.ts";
import { words } from "../commands/arguments.ts";
import { describePoint } from "../commands/breaking.ts";
import { scopeOf } from "../expression/evaluation.ts";
import { instructionLine, placeName } from "../expression/place.ts";
import { type LinePart, refuse, within } from "../expression/refusal.ts";
import type { Shell } from "../shell.ts";
import { barrierObjects, inFlight } from "./async.ts";
import { changes } from "./changes.ts";
import { lineInformation } from "./instructions.ts";
import { tensorRows } from "./tensor-memory.ts";
import { textureRows } from "./textures.ts";

/** Words that are shown at most. */
const MAX_SHOWN_WORDS = 64;

/**
 * Words of memory of which the thread in focus could read several values now, each with what it holds and what the thread
 * could still read instead, and its postponed loads; undefined where memory is not weak.
 */
function weakRows({ session, focus }: Debugger): readonly (readonly string[])[] | undefined {
  const launch = weakLaunchOf(session);
  if (launch === undefined) return undefined;
  const allocations = session.state?.context.memory.allocations;
  const all = launch.memory.unsettled(launch.agent(focus));
  const lines = all.slice(0, MAX_SHOWN_WORDS).map(({ at, values }) => {
    const owner = allocations?.find(at);
    const offset = at - (owner?.start ?? 0);
    const name = `${printable(owner?.name ?? "memory")}${offset === 0 ? "" : `+${offset}`}`;
    const [newest = "", ...older] = values.map(({ bytes }) => hex(numberOf(bytes), 8 * bytes.length));
    return [name, newest, `or ${older.join(", ")}`];
  });
  if (all.length > MAX_SHOWN_WORDS) lines.push([`and ${all.length - MAX_SHOWN_WORDS} more words`]);
  for (const { pc } of launch.postponed.of(focus)) lines.push([instructionLine(session.program, pc), "postponed"]);
  return lines;
}

/** Bytes as one number, the first one lowest. */
const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** What `info` prints, by topic. */
const tellers: ReadonlyMap<string, (shell: Shell, names: readonly LinePart[]) => void> = new Map([
  ["regs", registers],
  ["warps", warps],
  ["threads", threads],
  ["barriers", barriers],
  ["async", (shell) => inFlight(shell)],
  ["mbarriers", (shell) => barrierObjects(shell)],
  ["break", (shell) => points(shell)],
  ["buffers", buffers],
  ["display", (shell) => displays(shell)],
  ["kernels", kernels],
  ["functions", functions],
  ["textures", textures],
  ["tensor", tensor],
  ["changes", (shell) => changes(shell)],
  ["weak", (shell) => weakValues(shell)],
  ["line", (shell, [place]) => lineInformation(shell, place)],
]);
export const topics: readonly string[] = [...tellers.keys()];

/** Topics of other debuggers, and where they are here. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["locals", "info regs"],
  ["variables", "info buffers"],
  ["args", "info buffers"],
  ["frame", "where"],
  ["stack", "where"],
  ["source", "list"],
  ["blocks", "info warps"],
  ["lanes", "lanes %r1"],
  ["cuda", "info warps"],
  ["program", "info warps"],
]);

/** `info TOPIC`; beginnings of a topic, and gdb's `registers` and `breakpoints`, are understood. */
export function information(shell: Shell, argument: LinePart): void {
  // cuda-gdb: info cuda warps.
  const [topic, ...rest] = words(argument.text.startsWith("cuda ") ? within(argument, 5) : argument);
  const text = (topic?.text ?? "").replace(/^registers$/, "regs").replace(/^(breakpoints|watchpoints|b)$/, "break");
  const found = topics.filter((each) => each === text || (text.length > 0 && each.startsWith(text)));
  const only = (found.length === 1 ? found[0] : text) ?? "";
  const tell = tellers.get(only);
  if (tell === undefined)
    throw refuse("PTX2402", `${argument.text} is not a topic of info`, argument, {
      expected: topics.join(", "),
      meant: elsewhere.get(text) ?? nearest(text, topics),
    });
  const [extra] = rest;
  if (extra !== undefined && !["regs", "tensor", "line"].includes(only))
    throw refuse("PTX2402", `${extra.text} does not belong here`, extra, { expected: `info ${only}` });
  tell(shell, rest);
}

/** The rows of a table, columns aligned. */
function table(shell: Shell, lines: readonly (readonly string[])[], strong: (row: number) => boolean = () => false) {
  const count = Math.max(0, ...lines.map((line) => line.length));
  const widths = Array.from({ length: count }, (_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  for (const [row, line] of lines.entries()) {
    const text = line
      .map((each, at) => each.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
    shell.out(`${strong(row) ? shell.palette.strong(text) : text}\n`);
  }
}

function registers(shell: Shell, names: readonly LinePart[]): void {
  const all = shell.debugger.registers(shell.debugger.focus, scopeOf(shell));
  if (all.length === 0 && names.length === 0) shell.out("no registers\n");
  const carries = shell.debugger.session.program.code.some(({ plan }) => readsCarry(plan) || writesCarry(plan));
  const wanted = names.map((part) => {
    const scope = scopeOf(shell);
    const found = shell.subject.names.within(scope === "kernel" ? undefined : scope).need(part.text, part);
    if (found.kind === "register") return found.register.name;
    if (found.kind === "carry") return "cc.cf";
    throw refuse("PTX2404", `${part.text} is not a register`, part);
  });
  const chosen = wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name));
  const lines = chosen.flatMap((register) =>
    rows(register).map(({ name, type, width, bits }) => ({
      changed: register.changed,
      cells: [
        `${register.changed ? "*" : " "} ${printable(name)}`,
        type,
        hex(bits, width),
        width === 1 ? (bits === 0n ? "false" : "true") : number(bits, type),
      ],
    })),
  );
  if (wanted.length === 0 ? carries : wanted.includes("cc.cf")) {
    const carry = shell.debugger.carry();
    const changed = shell.debugger.carryChanged();
    const name = `${changed ? "*" : " "} cc.cf`;
    lines.push({ changed, cells: [name, "pred", String(carry), carry === 1 ? "true" : "false"] });
  }
  table(
    shell,
    lines.map(({ cells }) => cells),
    (row) => lines[row]?.changed ?? false,
  );
}

const mask = (lanes: number): string => `0x${(lanes >>> 0).toString(16).padStart(8, "0")}`;

function warps(shell: Shell): void {
  const { focus, session } = shell.debugger;
  const all = shell.debugger.warps();
  if (all.length === 0) shell.out("no warps run\n");
  const lines = all.flatMap(({ block, warp, live, current, groups }) => {
    const own = focus.block === block && focus.warp === warp;
    const head = [`${own ? "*" : " "}${current ? ">" : " "} b${block} w${warp}`];
    if (live === 0) return [[...head, mask(0), "exited"]];
    return groups.map((group, at) => [
      at === 0 ? (head[0] ?? "") : "",
      mask(group.mask),
      stateOf(group),
      `${placeName(session.program, group.pc)}: ${instructionLine(session.program, group.pc)}`,
    ]);
  });
  table(shell, lines);
}

const stateOf = ({ state, barrier }: { readonly state: string; readonly barrier?: number }): string => {
  if (state === "until") return "waits";
  if (state === "barrier") return `at barrier ${barrier}`;
  if (state === "cluster") return "at the cluster's barrier";
  return state === "lanes" ? "waits for lanes" : state;
};

/** Thread numbers are shown as ranges, because there may be thousands. */
function threads(shell: Shell): void {
  const { focus, session } = shell.debugger;
  const lines: string[][] = [];
  for (const { block, warp, threads: filled, live, groups } of shell.debugger.warps()) {
    const at = (lanes: number): string => laneRanges(lanes, warp * 32);
    const own = (lanes: number): string =>
      focus.block === block && focus.warp === warp && (lanes >>> focus.lane) & 1 ? "*" : " ";
    for (const group of groups)
      lines.push([
        `${own(group.mask)} b${block} t${at(group.mask)}`,
        stateOf(group),
        `${placeName(session.program, group.pc)}: ${instructionLine(session.program, group.pc)}`,
      ]);
    const gone = (filled & ~live) >>> 0;
    if (gone !== 0) lines.push([`${own(gone)} b${block} t${at(gone)}`, "exited"]);
  }
  if (lines.length === 0) shell.out("no threads run\n");
  table(shell, lines);
}

function barriers(shell: Shell): void {
  const all = shell.debugger.barriers();
  if (all.length === 0) shell.out("no thread has arrived at a barrier\n");
  for (const { block, number, threads: wanted, arrived, reduction } of all) {
    const who = arrived.flatMap((lanes, warp) => (lanes === 0 ? [] : [laneRanges(lanes, warp * 32)]));
    const what = reduction === undefined ? "" : ` (${reduction})`;
    shell.out(`b${block} barrier ${number}${what} waits for ${wanted} threads; arrived: ${who.join(",")}\n`);
  }
}

function tensor(shell: Shell, names: readonly LinePart[]): void {
  const { lines, table: shown } = tensorRows(shell.debugger.tensorMemory(), names);
  for (const line of lines) shell.out(`${line}\n`);
  table(shell, shown);
}

function points(shell: Shell): void {
  const all = shell.debugger.points;
  if (all.length === 0) shell.out("no breakpoints, watchpoints or catchpoints\n");
  for (const point of all) shell.out(`${describePoint(shell, point)}\n`);
}

function displays(shell: Shell): void {
  if (shell.displays.length === 0) shell.out("nothing is displayed\n");
  for (const { id, text, format } of shell.displays)
    shell.out(`${id}  ${text}${format === undefined ? "" : ` /${format}`}\n`);
}

function buffers(shell: Shell): void {
  const { inputs, loaded } = shell.subject.footing;
  const { program } = loaded.kernel;
  const lines: string[][] = inputs.buffers.map(({ name, type, buffer }) => [
    printable(name),
    "global",
    `0x${buffer.address.toString(16)}`,
    `${buffer.bytes} bytes`,
    type,
  ]);
  for (const name of loaded.module?.variables ?? []) {
    const variable = loaded.module?.variable(name);
    const type = loaded.module?.typeOf(name) ?? "b8";
    if (variable !== undefined)
      lines.push([
        printable(name),
        spaceOf(variable.address) ?? "global",
        `0x${variable.address.toString(16)}`,
        `${variable.bytes} bytes`,
        isElementType(type) ? type : "b8",
      ]);
  }
  for (const { name, space, offset, bytes, type } of program.variables)
    lines.push([printable(name), space, `0x${offset.toString(16)}`, `${bytes} bytes`, type]);
  if (lines.length === 0) shell.out("no buffers and no variables\n");
  table(shell, lines);
}

/** Textures, samplers and surfaces by their handles. */
function textures(shell: Shell): void {
  const lines = textureRows(shell);
  if (lines.length === 0) shell.out("no textures and no surfaces\n");
  table(shell, lines);
}

/** What the thread in focus could read, where that is not one value. */
function weakValues(shell: Shell): void {
  const lines = weakRows(shell.debugger);
  if (lines === undefined) shell.out("memory is not weak here: start with --memory weak:random --seed N\n");
  else if (lines.length === 0) shell.out("the thread would read what is newest, everywhere\n");
  else table(shell, lines);
}

/** The kernels of the file, the one that runs with a star. */
function kernels(shell: Shell): void {
  const { module, kernel } = shell.subject.footing.loaded;
  const names = module?.names.kernels ?? [];
  if (names.length === 0) shell.out("a snippet has no name\n");
  table(
    shell,
    bothNames(names, (name) => name === kernel.name),
  );
}

/** The functions that the kernel may call, and where they begin. */
function functions(shell: Shell): void {
  const { functions: all } = shell.debugger.session.program;
  if (all.length === 0) shell.out("the kernel calls no function\n");
  const places = all.map(({ entry }) => (typeof entry === "number" ? `*${entry}` : "ptxrun's own"));
  const rows = bothNames(
    all.map(({ name }) => name),
    () => false,
  );
  table(
    shell,
    rows.map(([name = "", mangled = ""], at) => [name, places[at] ?? "", mangled]),
  );
}

/** Names as they are declared, and as they are mangled where that differs. */
const bothNames = (names: readonly string[], marked: (name: string) => boolean): string[][] =>
  names.map((name) => {
    const declared = demangle(name)?.signature ?? name;
    return [`${marked(name) ? "*" : " "} ${printable(declared)}`, declared === name ? "" : name];
  });
