import type { NamedPlace } from "../host/place-name.ts";
import type { Traced, TracedLane } from "../host/trace.ts";
import { touchesOf, writtenBy } from "../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../interp/contract/program.ts";
import type { Space } from "../interp/contract/space.ts";
import { demangle } from "../source/demangle/index.ts";
import type { Location } from "../source/diagnostic.ts";
import { printable } from "./escape.ts";
import { laneRanges } from "./lane-ranges.ts";
import { fileName } from "./line-stats.ts";
import { type Palette, plain } from "./palette.ts";
import { isDefinite, itemsOf, OperandTypes, type RegisterItem, RegisterTypes } from "./trace-types.ts";
import { decoded, foldLanes, type LaneValue } from "./trace-values.ts";
import { hex } from "./value.ts";
import { instructionText, nameOf } from "./working/instruction.ts";

/** What a trace for people asks about the launch. */
export interface TraceWorld {
  readonly program: Program;
  /** The buffer or variable at an address, see `placeName`. */
  place(address: bigint, space?: Space): NamedPlace | undefined;
  /** A line of what the program was compiled from, where its text is found. */
  original(location: Location): string | undefined;
  readonly palette?: Palette;
}

/**
 * Traced instructions as text: a head with who and where, the values that it read and wrote by the names of registers, in
 * the types in which the instruction takes them, and where in which buffer it accessed memory. A line of the original
 * program stands before the instructions that it was compiled to.
 */
export class TraceText {
  readonly #world: TraceWorld;
  readonly #palette: Palette;
  readonly #types = new OperandTypes();
  readonly #registers: RegisterTypes;
  readonly #names = new Map<string, string | undefined>();
  #location = "";

  constructor(world: TraceWorld) {
    this.#world = world;
    this.#registers = new RegisterTypes(world.program, this.#types);
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
    // What ends a program without a ret stands nowhere in its text.
    const text = written.includes(instruction.opcode) ? written : `(${instruction.opcode})`;
    const end = completed ? "" : "  ended the run";
    const head = `${this.#palette.faint(who)}  ${this.#palette.strong(text)}  ${this.#palette.faint(`${which}${end}`)}\n`;
    const rows = [
      ...this.#operands(instruction, lanes, "operands"),
      ...this.#memory(instruction, lanes),
      ...this.#operands(instruction, lanes, "results"),
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
  #operands({ opcode, operands, plan }: Instruction, lanes: readonly TracedLane[], which: "operands" | "results") {
    const written = writtenBy(plan);
    const types = this.#types.of(opcode);
    const [from, to] = which === "results" ? [0, written] : [written, operands.length];
    const rows: string[] = [];
    const seen = new Set<string>();
    for (let at = from; at < to; at++) {
      const operand = operands[at];
      for (const [index, item] of itemsOf(operand).entries()) {
        const name = this.#nameOf(item);
        if (name === undefined || seen.has(name)) continue;
        seen.add(name);
        const values = lanes.flatMap((lane): LaneValue[] => {
          const bits = lane[which]?.[at - from]?.[index];
          return bits === undefined ? [] : [this.#value(lane.lane, bits, item, types[at])];
        });
        if (values.length > 0) rows.push(`${which === "results" ? "-> " : "   "}${name} = ${foldLanes(values)}`);
        else if (which === "results" && lanes.length > 0) rows.push(`-> ${name} when the others have come`);
      }
    }
    return rows;
  }

  /** A program may have many registers, and a trace names the same ones again and again. */
  #nameOf(item: RegisterItem): string | undefined {
    const key = `${item.kind === "predicate" ? (item.negated ? "!p" : "p") : item.bank}${item.slot}`;
    if (!this.#names.has(key)) this.#names.set(key, nameOf(this.#world.program, item));
    return this.#names.get(key);
  }

  #value(lane: number, bits: bigint, item: RegisterItem, type: string | undefined): LaneValue {
    if (item.kind === "predicate") return { lane, text: bits === 0n ? "false" : "true" };
    const own = isDefinite(type) ? type : (this.#registers.of(item) ?? `b${item.bits}`);
    const place = item.bits === 64 && !own.startsWith("f") ? this.#world.place(bits) : undefined;
    if (place !== undefined) return { lane, ...placed(place), count: bits };
    const text = decoded(bits, own, item.bits);
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

const verbs = { load: "loads", store: "stores", atomic: "updates", discard: "discards", access: "accesses" } as const;

const placed = ({ name: mangled, offset }: NamedPlace): Pick<LaneValue, "text" | "within"> => {
  const name = printable(demangle(mangled)?.name ?? mangled);
  return { text: `${name}+${offset}`, within: name };
};
