import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Characters of what a difference says: its seed tells the rest. */
const MOST_SAID = 300;

/** Seeds that one commit has run on one day. */
interface Run {
  readonly date: string;
  readonly commit: string;
  first: number;
  last: number;
  programs: number;
  /** Warp instructions of one of the two. */
  instructions: number;
  /** Seconds of processor time. */
  seconds: number;
}

/** What one program showed that the executors do not do alike. */
interface Difference {
  readonly seed: number;
  readonly way: string;
  readonly commit: string;
  readonly says: string;
  /** The commit that runs the program alike. */
  mended?: string;
}

interface Kept {
  readonly name: string;
  readonly version: string;
  /** Programs in all, and how often each was run in which way. */
  programs: number;
  /** Those for which the other executor had code of its own. */
  compiled: number;
  readonly ways: Record<string, number>;
  readonly differences: Difference[];
  readonly runs: Run[];
  readonly ended: Record<string, number>;
  /**
   * By syntax line: how many programs have the form, in how many a lane has executed it, and in how many of these the other
   * executor had code of its own for the program.
   */
  readonly forms: Record<string, [drawn: number, ran: number, compiled: number]>;
}

/** What one program did. */
export interface Ran {
  readonly seed: number;
  readonly ways: readonly string[];
  readonly end: string;
  readonly drawn: Iterable<string>;
  readonly ran: Iterable<string>;
  readonly compiled: boolean;
  readonly instructions: number;
}

/** A report that sessions continue one after the other, each from the seed where the last one stopped. */
export class Campaign {
  readonly #file: string;
  readonly #kept: Kept;
  readonly #run: Run;
  readonly #before: number;

  constructor(file: string, { commit, version, forms }: { commit: string; version: string; forms: readonly string[] }) {
    this.#file = file;
    this.#kept = existsSync(file)
      ? JSON.parse(readFileSync(file, "utf8"))
      : {
          name: "executors",
          version,
          programs: 0,
          compiled: 0,
          ways: {},
          differences: [],
          runs: [],
          ended: {},
          forms: {},
        };
    for (const form of forms) this.#kept.forms[form] ??= [0, 0, 0];
    const { runs } = this.#kept;
    const date = new Date().toISOString().slice(0, 10);
    const last = runs.at(-1);
    const next = (last?.last ?? 0) + 1;
    this.#run =
      last?.commit === commit && last.date === date
        ? last
        : { date, commit, first: next, last: next - 1, programs: 0, instructions: 0, seconds: 0 };
    if (this.#run !== last) runs.push(this.#run);
    this.#before = this.#run.seconds;
  }

  get next(): number {
    return this.#run.last + 1;
  }

  /** Programs that differed, which a mended executor runs again. */
  get open(): readonly Difference[] {
    return this.#kept.differences.filter(({ mended }) => mended === undefined);
  }

  mend(difference: Difference): void {
    difference.mended = this.#run.commit;
  }

  add({ seed, ways, end, drawn, ran, compiled, instructions }: Ran): void {
    const kept = this.#kept;
    const count = (record: Record<string, number>, key: string): void => {
      record[key] = (record[key] ?? 0) + 1;
    };
    kept.programs++;
    if (compiled) kept.compiled++;
    this.#run.programs++;
    this.#run.last = seed;
    this.#run.instructions += instructions;
    for (const way of ways) count(kept.ways, way);
    count(kept.ended, end);
    for (const [at, forms] of [drawn, ran, compiled ? ran : []].entries())
      for (const form of forms) kept.forms[form]![at]!++;
  }

  differs(seed: number, way: string, says: string): void {
    const short = says.length > MOST_SAID ? `${says.slice(0, MOST_SAID)}...` : says;
    this.#kept.differences.push({ seed, way, commit: this.#run.commit, says: short });
  }

  /** `seconds` of processor time have gone since the campaign was continued. */
  write(seconds: number): void {
    this.#run.seconds = Math.round(this.#before + seconds);
    // A form on a line.
    const text = JSON.stringify(this.#kept, undefined, 1).replaceAll(
      /\[\s+(\d+),\s+(\d+),\s+(\d+)\s+\]/g,
      "[$1, $2, $3]",
    );
    writeFileSync(this.#file, `${text}\n`);
  }
}
