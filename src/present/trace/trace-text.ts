import { demangle } from "../../../packages/demangle/src/index.ts";
import type { NamedPlace } from "../../host/place-name.ts";
import type { Traced, TracedLane } from "../../host/trace.ts";
import { touchesOf, writtenBy } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import type { Space } from "../../interp/contract/space.ts";
import type { Location } from "../../source/diagnostic.ts";
import { printable } from "../text/escape.ts";
import { laneRanges } from "../text/lane-ranges.ts";
import { type Palette, plain } from "../text/palette.ts";
import { hex } from "../value.ts";
import { instructionText } from "../working/instruction.ts";
import { fileName } from "./line-stats.ts";
import { type TypedRegister, TypedRegisters, typedText } from "./typed-register.ts";

/** A value of some lanes. */
interface LaneValue {
  readonly lane: number;
  readonly text: string;
  /** A prefix that need not be repeated for the next lane: the name of a buffer. */
  readonly within?: string;
  /** Where it is an integer, or a place in a buffer: what may be a step from one lane to the next. */
  readonly count?: bigint | undefined;
}

/** Values that are written one by one; of more that differ, the first. */
const MAX_SHOWN_VALUES = 8;

/**
 * Values of lanes in as few words as possible: one for all, a first and a last with the step between, lanes with the
 * same value together, or the first ones.
 */
function foldLanes(all: readonly LaneValue[]): string {
  const [first] = all;
  if (first === undefined) return "-";
  if (all.every(({ text }) => text === first.text)) return first.text;
  const values = all.map((value, at) => {
    const { text, within = "" } = value;
    return at === 0 || within !== all[at - 1]?.within ? value : { ...value, text: text.slice(within.length) };
  });
  const second = values[1];
  const step = stepOf(values);
  const last = values.at(-1);
  if (values.length > 3 && step !== undefined) return `${first.text}, ${second?.text} .. ${last?.text}`;
  const runs: { from: number; to: number; count: number; text: string }[] = [];
  for (const { lane, text } of values) {
    const run = runs.at(-1);
    if (run !== undefined && run.text === text && run.to === lane - 1) {
      run.to = lane;
      run.count++;
    } else runs.push({ from: lane, to: lane, count: 1, text });
  }
  const grouped = runs.some(({ count }) => count > 1);
  const shown = runs.slice(0, MAX_SHOWN_VALUES).map(({ from, to, text }) => {
    if (!grouped) return text;
    return from === to ? `${from}: ${text}` : `${from}-${to}: ${text}`;
  });
  const left = runs.slice(MAX_SHOWN_VALUES).reduce((sum, { count }) => sum + count, 0);
  return `${shown.join(", ")}${left === 0 ? "" : `, and ${left} more`}`;
}

/** The same difference from each lane to the next; undefined where it is not. */
function stepOf(values: readonly LaneValue[]): bigint | undefined {
  const [first, second] = values;
  if (first?.count === undefined || second?.count === undefined) return undefined;
  const step = second.count - first.count;
  for (let at = 1; at < values.length; at++) {
    const [before, here] = [values[at - 1], values[at]];
    if (before?.count === undefined || here?.count === undefined) return undefined;
    if (here.count - before.count !== step || here.lane !== before.lane + 1) return undefined;
  }
  return step;
}

/** What a trace for people needs to know about the launch. */
export interface TraceWorld {
  readonly program: Program;
  /** The buffer or variable at an address, see `placeName`. */
  place(address: bigint, space?: Space): NamedPlace | undefined;
  /** A line of what the program was compiled from, where its text is found. */
  original(location: Location): string | undefined;
  readonly palette?: Palette;
}

/**
 * Traced instructions as text: a head with thread and position, the values that it read and wrote by the names of
 * registers, in the types of the instruction, and the buffer and offset of its memory accesses. A line of the original
 * program precedes the instructions compiled from it.
 */
export class TraceText {
  readonly #world: TraceWorld;
  readonly #palette: Palette;
  readonly #registers: TypedRegisters;
  #location = "";

  constructor(world: TraceWorld) {
    this.#world = world;
    this.#registers = new TypedRegisters(world.program);
    this.#palette = world.palette ?? plain;
  }

  /** The lines of one instruction of a warp, each with its end. */
  instruction({ step, block, warp, pc, instruction, active, taken, lanes, completed }: Traced): string {
    const { program } = this.#world;
    const line = program.source.position(instruction.span.start).line;
    const who = `${step}  block ${block} warp ${warp}  line ${line}`;
    const reached = instruction.guard === undefined || active === taken ? "" : ` of ${laneRanges(active)}`;
    const which = taken === 0 ? `no lane of ${laneRanges(active)}` : `lanes ${laneRanges(taken)}${reached}`;
    const written = instructionText(program, pc);
    // The implied end of a program without a ret is nowhere in its text.
    const text = written.includes(instruction.opcode) ? written : `(${instruction.opcode})`;
    const end = completed ? "" : "  ended the run";
    const head = `${this.#palette.faint(who)}  ${this.#palette.strong(text)}  ${this.#palette.faint(`${which}${end}`)}\n`;
    const rows = [
      ...this.#operands(instruction, lanes, "operands"),
      ...carryOf(lanes, "carryIn"),
      ...this.#memory(instruction, lanes),
      ...this.#operands(instruction, lanes, "results"),
      ...carryOf(lanes, "carryOut"),
    ];
    return `${this.#from(instruction)}${head}${rows.map((row) => `    ${row}\n`).join("")}`;
  }

  /** The line that instructions were compiled from, when it is another than before. */
  #from({ location }: Instruction): string {
    if (location === undefined) return "";
    const place = `${fileName(location.file)}:${location.line}`;
    if (place === this.#location) return "";
    this.#location = place;
    const text = this.#world.original(location);
    return `${this.#palette.note(place)}${text === undefined ? "" : `  ${printable(text)}`}\n`;
  }

  /** `%f1 = 1.0, 2.0, 3.0`: what lanes read, or with an arrow what they have got. */
  #operands(instruction: Instruction, lanes: readonly TracedLane[], which: "operands" | "results"): string[] {
    const [reads, results] = this.#registers.of(instruction);
    const from = which === "results" ? 0 : writtenBy(instruction.plan);
    return (which === "results" ? results : reads).flatMap((register): string[] => {
      const values = lanes.flatMap((lane): LaneValue[] => {
        const bits = lane[which]?.[register.operand - from]?.[register.element];
        return bits === undefined ? [] : [this.#value(lane.lane, bits, register)];
      });
      if (values.length > 0) return [`${which === "results" ? "-> " : "   "}${register.name} = ${foldLanes(values)}`];
      return which === "results" && lanes.length > 0 ? [`-> ${register.name} when the others have come`] : [];
    });
  }

  #value(lane: number, bits: bigint, { type, width }: TypedRegister): LaneValue {
    const place = width === 64 && !type.startsWith("f") ? this.#world.place(bits) : undefined;
    if (place !== undefined) return { lane, ...placed(place), count: bits };
    const text = typedText(bits, type, width);
    return { lane, text, ...(/^-?\d+$/.test(text) && { count: BigInt(text) }) };
  }

  /** `loads 4 bytes at x+0, x+4 .. x+124 (global)`. */
  #memory({ plan }: Instruction, lanes: readonly TracedLane[]): string[] {
    const touching = lanes.flatMap(({ lane, memory }) => (memory === undefined ? [] : [{ lane, ...memory }]));
    const [first] = touching;
    if (first === undefined) return [];
    const how = verbs[touchesOf(plan)[0]?.how ?? "access"];
    const spaces = new Set<string>();
    const values = touching.map(({ lane, space, address }): LaneValue => {
      const place = this.#world.place(address, space);
      spaces.add(place?.space ?? space);
      return { lane, ...(place === undefined ? { text: hex(address, 64) } : placed(place)), count: address };
    });
    return [`   ${how} ${first.bytes} bytes at ${foldLanes(values)} (${[...spaces].join(", ")})`];
  }
}

/** `cc.cf = true`: the carry flag that lanes read, or with an arrow what they have set. */
function carryOf(lanes: readonly TracedLane[], which: "carryIn" | "carryOut"): string[] {
  const values = lanes.flatMap(({ lane, [which]: flag }) =>
    flag === undefined ? [] : [{ lane, text: flag === 1 ? "true" : "false" }],
  );
  return values.length === 0 ? [] : [`${which === "carryOut" ? "-> " : "   "}cc.cf = ${foldLanes(values)}`];
}

const verbs = { load: "loads", store: "stores", atomic: "updates", discard: "discards", access: "accesses" } as const;

const placed = ({ name: mangled, offset }: NamedPlace): Pick<LaneValue, "text" | "within"> => {
  const name = printable(demangle(mangled)?.name ?? mangled);
  return { text: `${name}+${offset}`, within: name };
};
