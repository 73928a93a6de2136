import { Bench, type Given } from "../../../packages/lab/launches/bench.ts";
import { fitting, isGuarded } from "../../../packages/lab/launches/fitting.ts";
import type { GuessedLaunch } from "../../../packages/lab/launches/guess.ts";
import { inferred } from "../../../packages/lab/launches/infer.ts";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { noFiles } from "../../environment/files.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { inSlices, type WatchedSlicing } from "../../environment/slicing.ts";
import { Device, kindOfText, problem } from "../../host/index.ts";
import { load, openModule } from "../../launch/program.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { readProgram } from "../run/text.ts";
import { kernelTitle, launchLines, problemLines } from "./page.ts";
import { Places } from "./places.ts";
import { type Limits, type Ran, ran } from "./ran.ts";

/** Commander's options of `ce`. */
export interface CeOptions extends Given {
  readonly source?: string;
  readonly timeout: number;
  readonly maxSteps: number;
  readonly color: ColourChoice;
}

/** When something began, and how long it may take, milliseconds. */
type Time = Pick<Limits, "begun" | "timeout">;

/** Problems of a kernel that are told of. */
const MOST_PROBLEMS = 8;
/** The part of the time after which no launch is tried any more: the one that is shown has the rest. */
const TRIALS = 0.6;

/** What a launch with zeros for pointers leads to. */
const isOfZero = ({ code, message }: Diagnostic): boolean => code === "PTX3040" || message.includes(" a null pointer");
const NOT_INFERRED =
  "pointers in structures, lambdas and buffers, and textures, are not inferred: they are zeros or numbers here";

/**
 * `ptxrun ce [PTX]`: runs each kernel of a compiler's output once, in a launch that is inferred, with every check, and prints what
 * Compiler Explorer shows as a tool's output. All together takes as long as `--timeout` says, and nothing reads a file.
 */
export const ce = (file: string | undefined, options: CeOptions, io: Io): Promise<ExitCode> =>
  inSlices(io, false, (slicing) => new Explorer(options, slicing).run(file ?? "-"));

class Explorer {
  readonly #options: CeOptions;
  readonly #slicing: WatchedSlicing;
  readonly #io: Io;

  constructor(options: CeOptions, slicing: WatchedSlicing) {
    this.#options = options;
    this.#slicing = slicing;
    this.#io = { ...slicing.io, files: noFiles };
  }

  async run(file: string): Promise<ExitCode> {
    const time = { begun: this.#slicing.now(), timeout: this.#options.timeout };
    const { value: source, diagnostics } = readProgram(file, {}, this.#slicing.io);
    if (source === undefined) {
      report(diagnostics, this.#options, this.#slicing.io);
      return worst(diagnostics.map(exitOf));
    }
    const entries = this.#entriesOf(source);
    if ("refused" in entries) return this.#tell(entries.refused, new Places(source, this.#options.source));
    const ends: ExitCode[] = [];
    for (const [at, entry] of entries.entries()) {
      if (at > 0) this.#io.out("\n");
      const now = this.#slicing.now();
      if (this.#isOver(time)) {
        ends.push(this.#late(entries.slice(at)));
        break;
      }
      const share = Math.ceil((time.begun + time.timeout - now) / (entries.length - at));
      ends.push(await this.#kernel(source, entry, { begun: now, timeout: share }));
    }
    return this.#slicing.signal === undefined ? worst(ends) : exitOfSignal(this.#slicing.signal);
  }

  /** Whether a part of the time is over, or nobody waits any more. */
  #isOver({ begun, timeout }: Time, part = 1): boolean {
    return this.#slicing.signal !== undefined || this.#slicing.now() > begun + part * timeout;
  }

  /** The kernels of a module, or why there is none. */
  #entriesOf(source: Source): readonly string[] | { readonly refused: readonly Diagnostic[] } {
    const { entry } = this.#options;
    if (entry !== undefined) return [entry];
    if (kindOfText(source) !== "module") {
      // A text in another language is told of as that.
      const { diagnostics } = load(source, this.#options, this.#io.now);
      const message = `${source.name} is not a PTX module`;
      const none = problem("PTX2002", message, { expected: "what nvcc -ptx or clang -S --cuda-device-only makes" });
      return { refused: hasErrors(diagnostics) ? diagnostics : [none] };
    }
    const { value: module, diagnostics } = openModule(new Device(), source, {});
    if (module === undefined || hasErrors(diagnostics)) return { refused: diagnostics };
    if (module.entries.length > 0) return module.entries;
    const expected = "an .entry, which a __global__ function becomes";
    return { refused: [problem("PTX2204", `${source.name} has no kernel`, { expected })] };
  }

  async #kernel(source: Source, entry: string, time: Time): Promise<ExitCode> {
    const given = { ...this.#options, ...time, entry };
    const { value: loaded, diagnostics } = load(source, given, this.#io.now);
    const places = new Places(source, this.#options.source, loaded?.kernel.program);
    if (loaded === undefined || hasErrors(diagnostics)) return this.#tell(diagnostics, places);
    const isLate = (): boolean => this.#isOver(time, TRIALS);
    const bench = new Bench(source, loaded, given, this.#io, isLate);
    const { diagnostics: unread } = bench.inputs(bench.load(), given.arg ?? []);
    if (hasErrors(unread)) return this.#tell(unread, places);
    const { value: launch, diagnostics: refused } = await this.#fitting(bench, isLate);
    if (launch === undefined) return refused.length > 0 ? this.#tell(refused, places) : this.#late([entry]);
    const isCut = isLate();
    const { value: first, diagnostics: unbegun } = await ran(bench, launch, given, this.#slicing);
    if (first === undefined) return this.#tell(unbegun, places);
    const shown = first.problems.length > 0 || isCut ? first : await this.#ragged(bench, launch, given, first, isLate);
    const colours = palette(this.#options.color, "out", this.#io);
    this.#io.out(launchLines(bench.program.name, shown, colours));
    if (isCut)
      this.#io.out("  no time was left for trials: buffers may be smaller than the kernel wants; -a gives others\n");
    const exit = this.#tell(shown.problems, places);
    if (shown.problems.some(isOfZero)) this.#io.out(`    help: ${NOT_INFERRED}\n`);
    return exit;
  }

  /** A size that is a multiple of nothing shows what a guard gets wrong; `first` where there is no more to see. */
  async #ragged(bench: Bench, launch: GuessedLaunch, limits: Limits, first: Ran, isLate: () => boolean): Promise<Ran> {
    if (!isGuarded(bench.program)) return first;
    const ragged = inferred(bench, launch, true);
    const { value: second } = isLate() ? {} : await ran(bench, ragged, limits, this.#slicing);
    return second !== undefined && second.problems.length > 0 ? second : first;
  }

  /** Nothing is known of kernels for which no time is left. */
  #late(entries: readonly string[]): ExitCode {
    const what = `no time was left for ${entries.map(kernelTitle).join(", ")}`;
    const help = [{ message: "--entry runs one kernel alone, and --timeout gives more time" }];
    return this.#tell([problem("PTX6101", what, { help })]);
  }

  async #fitting(bench: Bench, isLate: () => boolean): Promise<Staged<GuessedLaunch | undefined>> {
    const work = fitting(bench);
    for (let slice = work.next(false); ; slice = work.next(isLate())) {
      if (slice.done) return slice.value;
      await this.#slicing.rest();
    }
  }

  /** Prints problems, one of a kind and place: a loop that was unrolled has many. */
  #tell(problems: readonly Diagnostic[], places?: Places): ExitCode {
    const colours = palette(this.#options.color, "out", this.#io);
    const kinds = new Map<string, Diagnostic>();
    for (const each of problems) {
      const kind = `${each.code} ${places?.of(each.span).text}`;
      if (!kinds.has(kind)) kinds.set(kind, each);
    }
    const all = [...kinds.values()];
    for (const each of all.slice(0, MOST_PROBLEMS)) this.#io.out(problemLines(each, places, colours));
    const left = all.length - MOST_PROBLEMS;
    if (left > 0) this.#io.out(`${left} more problem${left === 1 ? "" : "s"} not shown\n`);
    if (places?.lacksLines && all.some(({ code }) => /^PTX[346]/.test(code)))
      this.#io.out(
        `    help: -lineinfo of nvcc, or -gline-tables-only of clang, gives lines of ${this.#options.source}\n`,
      );
    return worst(problems.map(exitOf));
  }
}
