import { dispatch } from "../../../packages/debugger/console/commands/every-command.ts";
import { Shell } from "../../../packages/debugger/console/shell.ts";
import type { Io } from "../../../src/environment/io.ts";
import { ProgressLine } from "../../../src/environment/progress-line.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { inject } from "../../../src/interp/tools/injected-instruction.ts";
import { Source } from "../../../src/source/source.ts";
import { filesFrom } from "../../../src/system/files.ts";
import type { Command } from "./commands.ts";
import { difference, stateOf } from "./fingerprint.ts";
import { Launches, Loaded } from "./launches.ts";
import { type Change, Oracle } from "./oracle.ts";
import type { Subject } from "./programs.ts";

/** A line for the REPL, and the change by hand that it makes. */
interface Line {
  readonly text: string;
  readonly make?: Change["make"];
  /** What asks only, and leaves everything as it is. */
  readonly asks?: boolean;
}

/** Carries out commands in a REPL, and compares what is there after each of them with a launch that only runs forward. */
export class Drive {
  /** Lines that were carried out, for the message of a failure. */
  readonly lines: string[] = [];
  readonly #launches: Launches;
  readonly #shell: Shell;
  /** What the program has printed. */
  readonly #printed: string[] = [];
  #changes: readonly Change[] = [];
  #oracle: Oracle;
  /** What had been printed when this course began, and how much of what its launch prints belongs before that. */
  #before: { readonly kept: number; readonly passed: number } = { kept: 0, passed: 0 };

  constructor(subject: Subject, history: number = 1 << 28) {
    const io: Io = {
      out: () => {},
      err: () => {},
      input: () => ({ bytes: new Uint8Array() }),
      env: {},
      cwd: "/",
      files: filesFrom("/"),
      terminal: { out: false, err: false },
      now: () => 0,
    };
    this.#launches = new Launches(subject, io);
    const loaded = new Loaded(this.#launches, (text) => void this.#printed.push(text), history);
    this.#shell = new Shell(loaded, this.#launches.options, new ProgressLine(io, false), dispatch);
    this.#oracle = new Oracle(this.#launches, []);
  }

  close(): void {
    this.#oracle.close();
    this.#shell.debugger.session.close();
  }

  /** Carries out a command; throws an Error that says what is not as it should be. */
  carryOut(command: Command): void {
    const shell = this.#shell;
    const { debugger: debugger_ } = shell;
    const line = this.#lineOf(command);
    this.lines.push(line.text);
    const kept = this.#outside();
    const { edits } = debugger_;
    let asked = 0;
    const { after = Number.POSITIVE_INFINITY } = command.kind === "interrupted" ? command : {};
    shell.interrupt = () => asked++ >= after;
    shell.execute(line.text);
    if (line.asks === true && this.#outside() !== kept) throw new Error(`${kept} has become ${this.#outside()}`);
    if (line.text === "run" || line.text === "restart") this.#begin([]);
    else if (line.make !== undefined && debugger_.edits !== edits) this.#change(line.make);
    this.#compare();
  }

  /** What the program has printed, which is looked at only now and then. */
  compareOutput(): void {
    const { kept, passed } = this.#before;
    const should = this.#oracle.printedAt(this.#shell.debugger.furthest).slice(passed);
    const is = this.#printed.slice(kept);
    if (is.join("") !== should.join(""))
      throw new Error(`printed ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
  }

  #change(make: Change["make"]): void {
    const { position } = this.#shell.debugger;
    this.#begin([...this.#changes.filter(({ step }) => step <= position), { step: position, make }], position);
  }

  /** Another course: a new launch, or one that a change has made of the old one. */
  #begin(changes: readonly Change[], position?: number): void {
    const printed = position === undefined ? [] : this.#oracle.printedAt(position);
    if (position === undefined) {
      // What the old launch printed is compared no more; all that the new one prints is new.
      const { furthest } = this.#shell.debugger;
      this.#oracle.close();
      this.#oracle = new Oracle(this.#launches, []);
      const fresh = this.#oracle.printedAt(furthest).length;
      this.#before = { kept: this.#printed.length - fresh, passed: 0 };
    } else {
      this.#before = { kept: this.#printed.length, passed: printed.length };
      this.#oracle.close();
      this.#oracle = new Oracle(this.#launches, changes);
    }
    this.#changes = changes;
  }

  #compare(): void {
    const { debugger: debugger_ } = this.#shell;
    const { position, stop, furthest, edits } = debugger_;
    const should = this.#oracle.at(position);
    const different = difference(stateOf(debugger_.session), should);
    if (different !== undefined) throw new Error(`@${position} ${different}`);
    if (stop.step !== position) throw new Error(`@${position} the stop says ${stop.step}`);
    if (furthest < position) throw new Error(`@${position} is beyond ${furthest}`);
    const steps = edits.map(({ step }) => step).join();
    const made = this.#changes.map(({ step }) => step).join();
    if (steps !== made) throw new Error(`@${position} changes at ${steps}, not at ${made}`);
    const ended = !should.get("end")!.startsWith("budget");
    if (ended && ["start", "step"].includes(stop.reason))
      throw new Error(`@${position} ${stop.reason}, and the launch has ended: ${should.get("end")}`);
    if (stop.reason === "exit" && should.get("end") !== "exit ") throw new Error(`@${position} has not ended`);
    if (stop.reason !== "trap") return;
    const beyond = this.#oracle.beyond(position);
    if (beyond !== `trap ${stop.diagnostic.message}`)
      throw new Error(`@${position} ${stop.diagnostic.message}: ${beyond}`);
  }

  /** What a question must not touch, beside the state of the machine. */
  #outside(): string {
    const { position, focus, stop, points, edits, furthest } = this.#shell.debugger;
    const plain = points.map(({ id, hits, ignore, enabled }) => [id, hits, ignore, enabled]);
    return JSON.stringify([position, focus, stop.reason, plain, edits.length, furthest]);
  }

  #lineOf(command: Command): Line {
    const { debugger: debugger_ } = this.#shell;
    switch (command.kind) {
      case "line":
        return { text: command.text, asks: /^(info|where|list|explain|print|dump)/.test(command.text) };
      case "interrupted":
        return { text: command.text };
      case "goto":
        return { text: `goto ${command.to % (debugger_.furthest + 3)}` };
      case "place": {
        const { word, pc, when } = command;
        const place = `*${pc % debugger_.session.program.code.length}`;
        return { text: `${word} ${place}${when && word !== "until" ? " if %laneid >= 1" : ""}` };
      }
      case "focus": {
        const { grid = [1, 1, 1], block = [1, 1, 1] } = this.#launches.options;
        const threads = block[0] * block[1] * block[2];
        const at = command.thread % (grid[0] * threads);
        return { text: `focus block ${Math.floor(at / threads)} thread ${at % threads}` };
      }
      case "about": {
        const { word, what } = command;
        const targets = this.#targets();
        const text = `${word} ${targets[what % targets.length]!.text}`;
        return { text, asks: word === "last-write" || word === "print" };
      }
      case "set": {
        const targets = this.#targets();
        const { text, width, set } = targets[command.what % targets.length]!;
        const bits = BigInt.asUintN(width, command.value);
        const value = width === 1 ? (bits === 1n ? "true" : "false") : `0x${bits.toString(16)}`;
        return { text: `set ${text} = ${value}`, make: (session) => set(session, bits) };
      }
      case "inject":
        return this.#injected(command.what, command.value);
    }
  }

  /** What can be looked at and set: registers of the focused thread, its carry flag, memory. */
  #targets(): readonly Target[] {
    const { debugger: debugger_, subject } = this.#shell;
    const { session, focus } = debugger_;
    const targets: Target[] = [
      { text: "cc.cf", width: 1, set: (on, bits) => on.writeCarry(focus, bits === 1n ? 1 : 0) },
    ];
    const callee = this.#callee(focus);
    const scope = callee === undefined ? session.program : session.program.functions[callee]!;
    for (const { name, bits, elements, across } of scope.registers)
      if (elements === 1 && bits <= 64 && !across)
        targets.push({ text: name, width: bits, set: (on, value) => on.writeRegister(focus, name, [value], callee) });
    for (const { buffer } of subject.footing.inputs.buffers)
      for (const offset of [0n, 4n])
        if (offset + 4n <= BigInt(buffer.bytes))
          targets.push(memory(`0x${(buffer.address + offset).toString(16)}`, "global", buffer.address + offset, focus));
    if (session.program.sharedBytes >= 4) targets.push(memory("shared:0", "shared", 0n, focus));
    return targets;
  }

  #injected(what: number, value: number): Line {
    const { debugger: debugger_, subject } = this.#shell;
    const { focus, session } = debugger_;
    const callee = this.#callee(focus);
    const scope = callee === undefined ? session.program : session.program.functions[callee]!;
    const fitting = scope.registers.filter(({ bits, elements, across }) => bits === 32 && elements === 1 && !across);
    const name = fitting[what % Math.max(1, fitting.length)]?.name ?? "none";
    const buffer = subject.footing.inputs.buffers[0]?.buffer;
    const texts = [
      `add.u32 ${name}, ${name}, 5;`,
      `add.cc.u32 ${name}, ${name}, 0xfffffff0;`,
      `mov.u32 ${name}, %laneid;`,
      `@!none mov.u32 ${name}, 1;`,
      buffer === undefined ? `not.b32 ${name}, ${name};` : `st.global.u32 [0x${buffer.address.toString(16)}], ${name};`,
      `st.global.u32 [8], ${name};`,
    ];
    const text = texts[value % texts.length]!;
    return {
      text,
      make: (on) => {
        const program = subject.footing.loaded.kernel.injected(new Source("command", text), callee).value!;
        inject(on, program, focus, callee);
      },
    };
  }

  #callee(thread: ThreadId): number | undefined {
    return this.#shell.debugger.machine.calls(thread)[0]?.callee;
  }
}

/** Something that can be set: how the REPL calls it, its bits, and how a plain launch is set to them. */
interface Target {
  readonly text: string;
  readonly width: number;
  set(session: Parameters<Change["make"]>[0], bits: bigint): void;
}

const memory = (address: string, space: "global" | "shared", at: bigint, thread: ThreadId): Target => ({
  text: `[${address}]:b32`,
  width: 32,
  set: (on, bits) => {
    const bytes = Uint8Array.from({ length: 4 }, (_, index) => Number((bits >> BigInt(8 * index)) & 0xffn));
    on.write(space, at, bytes, thread);
  },
});
