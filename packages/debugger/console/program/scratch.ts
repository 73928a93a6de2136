import type { Io } from "../../../../src/environment/io.ts";
import { Debugger, type DebugStop, type MadeEdit } from "../../../../src/host/debugger/debugger.ts";
import { Device, type Kernel, problem } from "../../../../src/host/index.ts";
import { writesCarry } from "../../../../src/interp/contract/plan/effects.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";
import { threadsIn } from "../../../../src/launch/extents.ts";
import { findRegister } from "../../../../src/launch/find-register.ts";
import { setUp } from "../../../../src/launch/input/inputs.ts";
import { missingNotes } from "../../../../src/launch/input/missing.ts";
import { begin } from "../../../../src/launch/launch.ts";
import { printOf } from "../../../../src/launch/once.ts";
import type { RunCommandOptions } from "../../../../src/launch/options.ts";
import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import { hasErrors } from "../../../../src/source/diagnostic.ts";
import { Source } from "../../../../src/source/source.ts";
import { ProgramNames } from "../expression/names.ts";
import { lineOf } from "../expression/place.ts";
import { type LinePart, Refusal } from "../expression/refusal.ts";
import { writtenRegisters } from "../show/written.ts";
import type { Footing } from "./launcher.ts";
import type { Executed, Subject } from "./subject.ts";

/** A trial: the program with one more line, run to its end. */
interface Draft {
  readonly debugger: Debugger;
  readonly footing: Footing;
  readonly notes: readonly Diagnostic[];
}

/**
 * A program that grows as its lines are typed: the body of a kernel with one thread, with the registers that its lines
 * use. Each new line makes a new program, which is run from beginning to end, so everything that works on a loaded
 * program (going back, breakpoints, listing) works here, too.
 */
export class Scratchpad implements Subject {
  readonly scratch = true;
  readonly #options: RunCommandOptions;
  readonly #io: Io;
  #draft: Draft;
  #lines: readonly string[] = [];
  /** Initial values of registers, `NAME[:TYPE]=VALUE`. */
  #given: readonly string[];
  /** Inputs that a note has already named. */
  readonly #noted = new Set<string>();

  private constructor(options: RunCommandOptions, io: Io, draft: Draft) {
    this.#options = options;
    this.#io = io;
    this.#given = options.reg ?? [];
    this.#draft = draft;
  }

  /** An empty program. */
  static begin(options: RunCommandOptions, io: Io): Staged<Scratchpad | undefined> {
    const { blocks, threads } = threadsIn({ limits: {} }, options);
    if (blocks * threads !== 1) return { value: undefined, diagnostics: [tooMany(blocks * threads)] };
    const { value, diagnostics } = drafted([], options, io);
    return { value: value && new Scratchpad(options, io, value), diagnostics };
  }

  get debugger(): Debugger {
    return this.#draft.debugger;
  }

  get footing(): Footing {
    return this.#draft.footing;
  }

  get names(): ProgramNames {
    return this.#draft.footing.names;
  }

  execute(line: LinePart, interrupt: () => boolean): Executed {
    const kept = this.#upToHere();
    const edits = this.debugger.edits.filter(({ step }) => step <= this.debugger.position);
    const options = { ...this.#options, reg: this.#given };
    const { value: draft, diagnostics } = drafted([...kept, line.text], options, this.#io);
    if (draft === undefined) throw new Refusal(diagnostics);
    const stop = replay(draft.debugger, edits, interrupt);
    if (stop.reason === "trap") {
      draft.debugger.session.close();
      throw new Refusal([stop.diagnostic]);
    }
    this.#draft.debugger.session.close();
    this.#draft = draft;
    this.#lines = [...kept, line.text];
    const { program } = draft.debugger.session;
    const fresh = program.code.filter((_, pc) => pc < program.code.length - 1 && lineOf(program, pc) > kept.length);
    return {
      written: writtenRegisters(program, fresh).map(({ name }) => name),
      writesCarry: fresh.some(({ plan }) => writesCarry(plan)),
      notes: this.#newNotes(draft),
      stop,
    };
  }

  promise(name: string, type: string | undefined, value: string): boolean {
    const same = (text: string): boolean => /^[^:=]*/.exec(text)?.[0] === name;
    this.#given = [
      ...this.#given.filter((each) => !same(each)),
      `${name}${type === undefined ? "" : `:${type}`}=${value}`,
    ];
    return true;
  }

  /** The lines before the next one: a line typed after going back replaces those that followed. */
  #upToHere(): readonly string[] {
    const { program } = this.debugger.session;
    const pc = this.debugger.pcOf();
    // After the typed lines, each result is loaded into its registers.
    const loads = program.results?.flatMap(({ registers }) => registers).length ?? 0;
    if (pc === undefined || pc >= program.code.length - 1 - loads) return this.#lines;
    return this.#lines.slice(0, lineOf(program, pc) - 1);
  }

  /** Notes about inputs without a value that no note has named yet. */
  #newNotes({ notes, footing }: Draft): readonly Diagnostic[] {
    const fresh = footing.inputs.missing.filter(({ name }) => !this.#noted.has(name));
    for (const { name } of fresh) this.#noted.add(name);
    if (fresh.length === 0) return [];
    const names = fresh.map(({ name }) => name).join(", ");
    return notes.map((note) => ({
      ...note,
      message: `${names} ${fresh.length === 1 ? "is" : "are"} 0, because no value was given`,
      help: [{ message: wayToGive(fresh) }],
    }));
  }
}

const tooMany = (threads: number): Diagnostic =>
  problem("PTX2207", `lines that are typed run in one thread, not in ${threads}`, {
    expected: "no --grid and no --block",
    help: [{ message: "put the lines into a file: ptxrun repl FILE runs them in many threads" }],
  });

/** Reads lines as a program, and stops before its first instruction. */
function drafted(lines: readonly string[], options: RunCommandOptions, io: Io): Staged<Draft | undefined> {
  const source = new Source("scratch", lines.map((line) => `${line}\n`).join(""));
  let footing: Footing | undefined;
  let notes: readonly Diagnostic[] = [];
  const start = (): Staged<Session | undefined> => {
    const { target, ptx, maxMem } = options;
    const device = new Device(maxMem === undefined ? {} : { maxMemory: maxMem });
    const { value: kernel, diagnostics } = device.snippet(source, {
      ...(target !== undefined && { target }),
      ...(ptx !== undefined && { version: ptx }),
    });
    const all = diagnostics.filter(({ code }) => code !== "PTX9003");
    if (kernel === undefined) return { value: undefined, diagnostics: all };
    const given = (options.reg ?? []).filter((text) => isOf(kernel, text));
    const isArgument = (text: string): boolean => parameterIn(kernel, text) !== undefined;
    // A parameter gets its value by name: later lines may load other parameters before it.
    const arg = [...(options.arg ?? []), ...given].filter(isArgument);
    const reg = given.filter((text) => !isArgument(text));
    const inputs = setUp({ device, kernel }, { ...options, reg, arg }, io, all);
    if (hasErrors(all)) return { value: undefined, diagnostics: all };
    footing = { loaded: { device, kernel }, inputs, names: new ProgramNames(kernel.program, undefined) };
    notes = missingNotes(inputs, kernel);
    return begin(kernel, inputs, options, printOf(io));
  };
  const { value, diagnostics } = Debugger.begin({ start });
  if (value === undefined || footing === undefined) return { value: undefined, diagnostics };
  return { value: { debugger: value, footing, notes }, diagnostics };
}

const nameIn = (assignment: string): string => /^[^:=]*/.exec(assignment)?.[0] ?? "";

const parameterIn = ({ program }: Kernel, assignment: string) =>
  program.parameters.find(({ name }) => name === nameIn(assignment));

/** Whether the program has the register or the parameter of an assignment yet. */
const isOf = (kernel: Kernel, assignment: string): boolean =>
  nameIn(assignment).toLowerCase() === "cc.cf" ||
  findRegister(kernel.program, nameIn(assignment)) !== undefined ||
  parameterIn(kernel, assignment) !== undefined;

/** How to set the first of these inputs; that of a parameter is loaded already. */
function wayToGive([first]: Footing["inputs"]["missing"]): string {
  const name = first?.name ?? "";
  return first?.kind === "parameter"
    ? `give one with set ${name} = VALUE before the line that loads it, or with -a`
    : `give one with set ${name} = VALUE`;
}

/** Runs a program up to its end, and reapplies the changes made on the way. */
function replay(debugger_: Debugger, edits: readonly MadeEdit[], interrupt: () => boolean): DebugStop {
  const travel = { interrupt };
  for (const { step, edit } of edits) {
    debugger_.goTo(step, travel);
    debugger_.edit(edit);
  }
  const end = debugger_.session.program.code.length - 1;
  return debugger_.pcOf() === end ? debugger_.stop : debugger_.until(end, travel);
}
