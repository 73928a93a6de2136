import type { BoundedRead, Files } from "./files.ts";

/** The signals that ask a command to end: Ctrl-C, and those of `kill` and `timeout`. */
export type Signal = "SIGINT" | "SIGTERM";

/** What a command needs from its environment besides files; tests pass their own. */
export interface Io {
  /** Results. */
  out(text: string): void;
  /** Diagnostics and notes. */
  err(text: string): void;
  /** All of standard input, or that it has more than `most` bytes. */
  input(most: number): BoundedRead;
  /** The largest text that is read, bytes; `MOST_TEXT` by default. */
  readonly mostText?: number;
  readonly env: {
    readonly NO_COLOR?: string;
    readonly FORCE_COLOR?: string;
    readonly TERM?: string;
    /** What terminals say who they are, and whether to write links for them anyway. */
    readonly FORCE_HYPERLINK?: string;
    readonly TERM_PROGRAM?: string;
    readonly VTE_VERSION?: string;
    readonly WT_SESSION?: string;
    readonly KONSOLE_VERSION?: string;
    /** Programs that show a long text page by page. */
    readonly MANPAGER?: string;
    readonly PAGER?: string;
    readonly CI?: string;
    /** Set on GitHub's runners, which make annotations from output; the repository's folder there; the file of a step's summary. */
    readonly GITHUB_ACTIONS?: string;
    readonly GITHUB_WORKSPACE?: string;
    readonly GITHUB_STEP_SUMMARY?: string;
    /** The repository's folder on GitLab's runners. */
    readonly CI_PROJECT_DIR?: string;
    readonly HOME?: string;
    readonly XDG_STATE_HOME?: string;
    /** The REPL's history; empty for none. */
    readonly PTXRUN_HISTORY?: string;
    /** The folder of libptxrun and libcuda, for `exec`. */
    readonly PTXRUN_NATIVE?: string;
    /** Which shard of a campaign this is, and of how many, in the format of job schedulers. */
    readonly PTXRUN_SHARD?: string;
    readonly PTXRUN_SHARDS?: string;
    readonly SLURM_ARRAY_TASK_ID?: string;
    readonly SLURM_ARRAY_TASK_MIN?: string;
    readonly SLURM_ARRAY_TASK_COUNT?: string;
    readonly JOB_COMPLETION_INDEX?: string;
    readonly CI_NODE_INDEX?: string;
    readonly CI_NODE_TOTAL?: string;
    readonly CIRCLE_NODE_INDEX?: string;
    readonly CIRCLE_NODE_TOTAL?: string;
    readonly BUILDKITE_PARALLEL_JOB?: string;
    readonly BUILDKITE_PARALLEL_JOB_COUNT?: string;
    readonly PARALLEL_SEQ?: string;
  };
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly files: Files;
  /** Whether the streams end at a terminal. */
  readonly terminal: {
    readonly out: boolean;
    readonly err: boolean;
    /** The current width of standard error's terminal; undefined when it does not report one. */
    columns?(): number | undefined;
  };
  /**
   * Calls `act` for each signal until the returned function is called. Without a listener a signal kills the process at
   * once.
   */
  onSignal?(act: (signal: Signal) => void): () => void;
  /** The file of a check's worker threads; without it a check runs in one thread. */
  readonly checkWorker?: string;
  /** The build of ptxrun, where known: caches of another build are not used. */
  readonly build?: string;
  /** The file of the worker threads that run blocks of a grid; without it one thread runs them all. */
  readonly poolWorker?: string;
  /** The folder of the package, where `native/build` may be. */
  readonly home?: string;
  /** Milliseconds, for `--timeout` and progress. */
  now(): number;
}
