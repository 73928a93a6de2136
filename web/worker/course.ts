import { Launcher } from "../../packages/debugger/console/program/launcher.ts";
import { Debugger, type Motion } from "../../src/host/debugger/debugger.ts";
import { placeName } from "../../src/host/place-name.ts";
import { nextOf, touchesOf } from "../../src/interp/contract/plan/effects.ts";
import type { Space } from "../../src/interp/contract/space.ts";
import { type TypedRegister, TypedRegisters, typedText } from "../../src/present/trace/typed-register.ts";
import { hex } from "../../src/present/value.ts";
import type { LineHistory, LineValue, LineValues, Strip, Thread } from "../page/client.ts";
import { pageIo } from "./environment.ts";
import type { Standing } from "./standing.ts";
import { lineAt, sizesOf } from "./state.ts";
import { StripRecord } from "./strip.ts";
import { type Visit, VisitRecorder, type Visits } from "./visits.ts";

/** Positions up to which a launch is executed a second time. */
const MOST_STEPS = 2_000_000;

/** What stands for an instruction that has been executed and leaves no value. */
const DONE = "✓";

/** Bytes for going back. */
const HISTORY = 64 << 20;

/** Executes a motion in pieces until it is done or `ends`. */
type Execute = (motion: Motion, ends: () => boolean) => Promise<unknown>;

/**
 * The launch that is looked at, once more: executed beside it, to the same position, with what the focused thread and all warps do
 * on the way. For another thread it begins again.
 */
export class Course {
  readonly #standing: Standing;
  readonly #strip = new StripRecord();
  readonly #registers: TypedRegisters;
  #begun: { readonly debugger: Debugger; readonly recorder: VisitRecorder } | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #closed = false;
  readonly #execute: Execute;
  readonly #most: number;

  constructor(standing: Standing, execute: Execute, most: number = MOST_STEPS) {
    this.#standing = standing;
    this.#execute = execute;
    this.#most = most;
    this.#registers = new TypedRegisters(standing.program.debugger.session.program);
  }

  /** See `Client.strip`. */
  strip(): Promise<Strip> {
    return this.#inTurn(async () => {
      const end = Math.min(this.#standing.program.debugger.furthest, this.#most);
      await this.#goTo(end, () => this.#closed);
      return this.#strip.upTo(end);
    });
  }

  /** See `Client.values`. */
  values(): Promise<LineValues | undefined> {
    this.#asked += 1;
    const own = this.#asked;
    const ends = (): boolean => this.#closed || own !== this.#asked;
    return this.#inTurn(async () => {
      if (ends()) return undefined;
      const { position } = this.#standing.program.debugger;
      const recorder = await this.#goTo(Math.min(position, this.#most), ends);
      return ends() ? undefined : { position: Math.min(position, this.#most), lines: this.#lines(recorder) };
    });
  }

  /** See `Client.lineHistory`. */
  history(line: number): LineHistory | undefined {
    const { recorder } = this.#begun ?? {};
    const { code } = this.#standing.program.debugger.session.program;
    const all = (recorder?.read() ?? []).flatMap((visits, pc) =>
      visits !== undefined && lineAt(this.#standing, pc) === line ? [{ pc, visits }] : [],
    );
    if (all.length === 0) return undefined;
    const last = all.flatMap(({ pc, visits }) =>
      visits.last.map((visit) => ({ position: visit.step + 1, kept: visit.kept, text: this.#text(pc, visit) })),
    );
    return {
      times: all.reduce((sum, { visits }) => Math.max(sum, visits.count), 0),
      last: last.sort((a, b) => b.position - a.position),
      registers: all.flatMap(({ pc }) => {
        const instruction = code[pc];
        return instruction === undefined ? [] : this.#registers.of(instruction)[1].map(({ name }) => name);
      }),
    };
  }

  close(): void {
    this.#closed = true;
    this.#begun?.debugger.session.close();
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Brings the second launch to a position, recorded for the thread that is looked at now. */
  async #goTo(position: number, ends: () => boolean): Promise<VisitRecorder> {
    const { debugger: debugger_, recorder } = this.#at(this.#standing.program.debugger.focus);
    await this.#execute(debugger_.motions.goTo(position), ends);
    return recorder;
  }

  /** A launch that is recorded for a thread. */
  #at(thread: Thread) {
    const { block, warp, lane } = this.#begun?.recorder.thread ?? { block: -1, warp: 0, lane: 0 };
    if (this.#begun !== undefined && block === thread.block && warp === thread.warp && lane === thread.lane)
      return this.#begun;
    this.#begun?.debugger.session.close();
    const { source, options, program } = this.#standing;
    const [, threads] = sizesOf(this.#standing);
    const warps = Math.ceil(threads / (program.debugger.session.state?.context.lanes ?? 32));
    const launcher = new Launcher(
      source,
      options,
      pageIo(() => {}),
      () => {},
    );
    let recorder: VisitRecorder | undefined;
    const begun = Debugger.begin({
      start: () => {
        const started = launcher.start();
        if (started.value !== undefined) {
          // Before the debugger keeps its first snapshot.
          recorder = new VisitRecorder(started.value, thread, this.#strip, warps);
          started.value.observe(recorder);
        }
        return started;
      },
      history: HISTORY,
    }).value;
    if (begun === undefined || recorder === undefined) throw new Error("the launch cannot be begun again");
    this.#begun = { debugger: begun, recorder };
    return this.#begun;
  }

  /** By line, of instructions that share one in their order. */
  #lines(recorder: VisitRecorder): readonly LineValue[] {
    const lines = new Map<number, LineValue>();
    for (const [pc, visits] of recorder.read().entries()) {
      const line = visits && lineAt(this.#standing, pc);
      if (visits === undefined || line === undefined) continue;
      const value = this.#last(line, pc, visits);
      const before = lines.get(line);
      if (before === undefined) lines.set(line, value);
      // The implied end of a program stands in its last line.
      else if (value.text !== DONE)
        lines.set(line, { line, text: `${before.text}; ${value.text}`, kept: before.kept && value.kept });
    }
    return [...lines.values()];
  }

  #last(line: number, pc: number, { last }: Visits): LineValue {
    const visit = last.at(-1);
    return { line, text: visit === undefined ? "" : this.#text(pc, visit), kept: visit?.kept ?? false };
  }

  /** `%n = 7`, `[result+12] ← 3`, `taken`; a sign for what has been done and leaves no value. */
  #text(pc: number, { kept, results, address, stored }: Visit): string {
    const instruction = this.#standing.program.debugger.session.program.code[pc];
    if (instruction === undefined) return "";
    const { plan } = instruction;
    if (nextOf(plan) === "targets") return kept ? "not taken" : "taken";
    if (kept) return "not executed by this lane";
    const [reads, written] = this.#registers.of(instruction);
    const comes = nextOf(plan) === "callee" ? "comes with the return" : "waits for others";
    const texts = written.map(({ name, operand, element, ...as }) => {
      const bits = results?.[operand]?.[element];
      return bits === undefined ? `${name} ${comes}` : `${name} = ${this.#value(bits, as)}`;
    });
    const [access] = touchesOf(plan);
    if (address !== undefined && access !== undefined && access.how !== "load") {
      const types = reads.filter(({ operand }) => operand === access.data);
      const bytes = { type: `b${access.bytes * 8}`, width: access.bytes * 8 };
      const values = stored?.map((bits, at) => this.#value(bits, types[at] ?? bytes)).join(", ");
      const where = this.#place(address, access.space) ?? hex(address, 64);
      texts.push(`[${where}]${values === undefined ? " changed" : ` ← ${values}`}`);
    }
    return texts.length === 0 ? DONE : texts.join(", ");
  }

  #value(bits: bigint, { type, width }: Pick<TypedRegister, "type" | "width">): string {
    const place = width === 64 && !type.startsWith("f") ? this.#place(bits) : undefined;
    return place ?? typedText(bits, type, width);
  }

  /** `result+12` */
  #place(address: bigint, space?: Space): string | undefined {
    const place = placeName(this.#standing.program.debugger.session, address, space);
    return place && `${place.name}${place.offset === 0 ? "" : `+${place.offset}`}`;
  }
}
