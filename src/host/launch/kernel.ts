import { typedVisa } from "../../../packages/visa/src/index.ts";
import type { Moving } from "../../interp/async/moving.ts";
import type { ModuleVariable, Program } from "../../interp/contract/program.ts";
import type { Stop } from "../../interp/contract/stop.ts";
import { type Checks, teamOf } from "../../interp/create-session.ts";
import { createSession, type Executor, type Memory } from "../../interp/index.ts";
import type { Session } from "../../interp/machine/session.ts";
import type { Teamwork } from "../../interp/worker-pool/team.ts";
import type { WorkerPool } from "../../interp/worker-pool/worker-pool.ts";
import { parseSnippet } from "../../parser/index.ts";
import { namesAround, resolveSnippet } from "../../resolve/index.ts";
import { nearest } from "../../resolve/nearest.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { checkOptions, type Kind } from "../../source/given.ts";
import type { Source } from "../../source/source.ts";
import { problem } from "../problem.ts";
import { checkArch } from "./arch.ts";
import { type Arguments, packArguments } from "./argument.ts";
import { checkExtents, type Extent, extentsOf } from "./extents.ts";
import { ownVariables } from "./simd-threads.ts";

/** The most blocks that are resident together. */
const MOST_RESIDENT = 1024;

/** More than nvcc's cooperative groups use. */
const BYTES = 256;

/** Sessions of a kernel that are kept to begin anew: its launches of as many sizes. */
const MOST_ENDED = 4;

/** By device memory: the address of the workspace of its cooperative launches. */
const workspaces = new WeakMap<Memory, bigint>();

/**
 * The workspace of a cooperative launch: memory where its grid-wide barrier counts. It is zeroed at the start of each
 * launch, since a fault may have stopped the last one midway. Undefined when the device's memory is full.
 */
function workspaceOf(memory: Memory): bigint | undefined {
  const known = workspaces.get(memory);
  if (known !== undefined) {
    memory.write(known, new Uint8Array(BYTES));
    return known;
  }
  const name = "the workspace of the cooperative launch";
  const address = memory.allocate({ name, bytes: BYTES, initialised: true });
  if (address !== undefined) workspaces.set(memory, address);
  return address;
}

/** Options of a launch: the parameters of `cuLaunchKernel`, and what only an interpreter offers. */
export interface LaunchOptions {
  /** Blocks; by default one, or one cluster. */
  readonly grid?: Extent;
  /** Threads of a block; by default what the kernel requires by `.reqntid`, or one. */
  readonly block?: Extent;
  readonly args?: Arguments;
  /** Dynamic shared memory of a block, bytes. */
  readonly dynamicShared?: number;
  /**
   * Blocks of a cluster, which are resident together; by default what the kernel requires, or one. The grid is a
   * multiple of it.
   */
  readonly cluster?: Extent;
  /** The order in which warps and blocks run: in turn, or permuted by a seed below 2^32. */
  readonly schedule?: { readonly seed: number };
  /**
   * Memory is weak: each seed below 2^32 draws one run that the memory model allows (PTX ISA 8).
   */
  readonly weak?: { readonly seed: number };
  /**
   * When the data of asynchronous operations move: by default as late as the program allows, or at moments drawn from
   * the seed of `schedule`. The findings do not depend on it.
   */
  readonly async?: Moving;
  /** As `cuLaunchCooperativeKernel`: all blocks are resident together, and the kernel gets a workspace for its grid-wide barrier. */
  readonly cooperative?: boolean;
  /** The GPU whose tensor cores compute: `sm_90a` and the like, sm_70 or later; by default the target of the text. */
  readonly arch?: string;
  /** Initial values of registers in every thread, by name; one value per element of a vector. */
  readonly registers?: ReadonlyMap<string, bigint | readonly bigint[]>;
  /** CC.CF at the start. */
  readonly carry?: 0 | 1;
  /** Checks during the run; all but race detection are on by default. */
  readonly sanitize?: Checks;
  /** Warp instructions at most; the run then stops with a limit. */
  readonly maxSteps?: number;
  /**
   * Bytes of stack a thread, as `cuCtxSetLimit(CU_LIMIT_STACK_SIZE)`; 16 KiB by default, and none for a program that
   * needs none.
   */
  readonly stack?: number;
  /** Bytes of the device heap, as `CU_LIMIT_MALLOC_HEAP_SIZE`; 8 MiB by default. */
  readonly heap?: number;
  /** Receives the output of device printf, call by call; by default it is dropped. */
  readonly print?: (text: string) => void;
  /** The executor: by default WebAssembly, once the launch is long enough for that. */
  readonly executor?: Executor;
  /**
   * Whether registers and carry flags can be read, see `Session.registers`; by default true for a session. For
   * `Kernel.launch` the default is true where all threads' registers need at most 1 MiB: without them a launch is
   * faster, and one that differs from an earlier one in its arguments alone begins anew in its session.
   */
  readonly readableRegisters?: boolean;
  /**
   * Workers that may run blocks of the launch, for `Kernel.launch`: the result equals that of a single worker, bit for
   * bit. It blocks until they finish, which a page's main thread must not.
   */
  readonly workerPool?: WorkerPool;
}

const launchOptions: Readonly<Record<keyof LaunchOptions, Kind>> = {
  grid: "extent",
  block: "extent",
  args: "object",
  dynamicShared: "number",
  cluster: "extent",
  schedule: "object",
  weak: "object",
  async: "anything",
  cooperative: "truth",
  arch: "text",
  registers: "map",
  carry: "bit",
  sanitize: "object",
  maxSteps: "number",
  stack: "number",
  heap: "number",
  print: "call",
  executor: "object",
  readableRegisters: "truth",
  workerPool: "object",
};

const checks: Readonly<Record<keyof Checks, Kind>> = {
  mem: "truth",
  init: "truth",
  sync: "truth",
  bounds: "truth",
  race: "truth",
};

/** Throws a TypeError for options that no launch has. */
function checkLaunch(of: string, options: LaunchOptions): void {
  checkOptions(of, options, launchOptions);
  const { sanitize, schedule, weak } = options;
  if (sanitize !== undefined) checkOptions(`${of}: sanitize`, sanitize, checks);
  if (schedule !== undefined) checkOptions(`${of}: schedule`, schedule, { seed: "number" }, ["seed"]);
  if (weak !== undefined) checkOptions(`${of}: weak`, weak, { seed: "number" }, ["seed"]);
}

/** A launch that has ended. */
export interface Launch {
  readonly stop: Stop;
  /** Warp instructions that were executed. */
  readonly steps: number;
  /** Findings that did not end the run, and notes. */
  readonly findings: readonly Diagnostic[];
  /**
   * For reading registers (see `LaunchOptions.readableRegisters`), after a fault also shared and local memory. Without
   * readable registers it is good until the kernel's next launch, which may take it over.
   */
  readonly session: Session;
  /** With a worker pool: how the launch was spread over workers. */
  readonly teamwork?: Teamwork;
}

/** Milliseconds of one slice of a launch with a worker pool. */
const TURN = 1000;

/** By device memory: the faulted launch that still has its shared and local memory, for inspection. */
const faulted = new WeakMap<Memory, Session>();

/** Closes the faulted launch, if one still has its memory; false when there is none. */
export function dismiss(memory: Memory): boolean {
  faulted.get(memory)?.close();
  return faulted.delete(memory);
}

/** A program that can be launched on its device: an `.entry` of a module, or a snippet. */
export class Kernel {
  readonly name: string;
  readonly program: Program;
  readonly #memory: Memory;
  readonly #addressOf: (variable: string) => bigint;
  readonly #variables: readonly ModuleVariable[];
  readonly #programOf: ((name: string) => Program | undefined) | undefined;
  /** Sessions that may begin anew. */
  readonly #ended: {
    readonly options: LaunchOptions;
    readonly reaches: boolean;
    readonly session: Session;
  }[] = [];

  /** @internal Made by `Module.kernel` and `Device.snippet`. */
  constructor(
    program: Program,
    memory: Memory,
    addressOf: (variable: string) => bigint,
    variables: readonly ModuleVariable[] = [],
    programOf?: (name: string) => Program | undefined,
  ) {
    this.#programOf = programOf;
    this.#variables = variables;
    this.name = program.name;
    this.program = program;
    this.#memory = memory;
    this.#addressOf = addressOf;
  }

  /**
   * Runs to the end, a fault or a limit. The value is undefined when the options were wrong and nothing ran.
   *
   * A launch that ends by `exit` is closed (see `Session.close`): any number of launches can follow. One that ends by a
   * fault or a limit stays open until `session.close()`, until the next launch or session on the device, or until a
   * buffer needs the room, so that its shared and local memory can be inspected.
   */
  launch(options: LaunchOptions = {}): Staged<Launch | undefined> {
    checkLaunch("launch", options);
    const isPlain = options.readableRegisters === false && options.workerPool === undefined;
    const { value: session, diagnostics } = isPlain ? this.repeated(options) : this.#session(options, "if small");
    if (session === undefined) return { value: undefined, diagnostics };
    const team = options.workerPool && teamOf(session, options.workerPool);
    let stop = team === undefined ? session.run() : team.run(TURN);
    while (team !== undefined && stop.reason === "budget") stop = team.run(TURN);
    if (stop.reason === "exit") session.close();
    else {
      faulted.set(this.#memory, session);
      // Data stored before the fault is kept.
      this.#memory.supply?.giveBack();
    }
    const { steps, findings } = session;
    return { value: { stop, steps, findings, session, ...(team && { teamwork: team.work }) }, diagnostics };
  }

  /** A session of a launch that has not run yet. It holds memory until its `close` is called. */
  session(options: LaunchOptions = {}): Staged<Session | undefined> {
    checkLaunch("session", options);
    return this.#session(options, true);
  }

  #session(options: LaunchOptions, registersReadable: boolean | "if small"): Staged<Session | undefined> {
    const diagnostics: Diagnostic[] = [];
    const extents = extentsOf(this.program, options);
    const { grid, block, cluster } = extents;
    diagnostics.push(...checkExtents(this.program, extents));
    const blocks = grid[0] * grid[1] * grid[2];
    if (options.cooperative && blocks > MOST_RESIDENT)
      diagnostics.push(
        problem("PTX2207", `a cooperative launch of ${blocks} blocks cannot be resident together`, {
          expected: `${MOST_RESIDENT} blocks at most`,
        }),
      );
    diagnostics.push(...checkArch(options.arch));
    const { simd } = this.program;
    const given = argumentsIn(options.args) > 0;
    const parameters =
      simd !== undefined && !given
        ? new Uint8Array(this.program.parameterBytes)
        : packArguments(this.program, options.args ?? [], diagnostics);
    const registers = this.#registers(options.registers, diagnostics);
    if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
    dismiss(this.#memory);
    this.#memory.supply?.begin();
    const dynamicShared = options.dynamicShared ?? this.program.simd?.localBytes;
    const { carry, sanitize, maxSteps, schedule, stack, heap, print, executor, arch } = options;
    const workspace = options.cooperative ? workspaceOf(this.#memory) : undefined;
    const items = extents.items ?? block;
    // A thread alone has no ids, but the addresses of its frames and scratch space.
    const launched =
      simd !== undefined &&
      (given ||
        options.grid !== undefined ||
        options.block !== undefined ||
        simd.fills.some(({ of }) => of === "address"));
    const words = given ? parameters : new Uint8Array();
    const own = launched
      ? ownVariables(this.program, this.#memory, this.#addressOf, { groups: grid, items }, words)
      : undefined;
    if (launched && own === undefined) {
      const message = "there is no memory for the registers of all threads";
      return {
        value: undefined,
        diagnostics: [...diagnostics, problem("PTX6007", message, { expected: "a smaller launch, or --max-mem" })],
      };
    }
    const session = createSession({
      program: this.program,
      memory: this.#memory,
      grid,
      block,
      parameters,
      addressOf: this.#addressOf,
      ...(own === undefined ? {} : { own }),
      registers,
      // Workers of a pool, which are sent the rest, get no program that launches kernels.
      ...(this.#programOf !== undefined && this.program.kernels !== undefined && { programOf: this.#programOf }),
      registersReadable: options.readableRegisters ?? registersReadable,
      ...(dynamicShared === undefined ? {} : { dynamicShared }),
      ...(carry === undefined ? {} : { carry }),
      ...(schedule === undefined ? {} : { schedule }),
      ...(options.weak === undefined ? {} : { weak: options.weak }),
      ...(cluster === undefined ? {} : { cluster }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(arch === undefined ? {} : { target: arch }),
      ...(options.async === undefined ? {} : { moving: options.async }),
      ...(sanitize === undefined ? {} : { sanitize }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(stack === undefined ? {} : { stack }),
      ...(heap === undefined ? {} : { heap }),
      ...(print === undefined ? {} : { print }),
      ...(executor === undefined ? {} : { executor }),
    });
    return { value: session, diagnostics };
  }

  /**
   * @internal The same for who launches a kernel again and again, and closes each session before the next: one that was like this
   * but for its arguments begins anew, where it can, which takes a fraction of the time.
   */
  repeated(options: LaunchOptions): Staged<Session | undefined> {
    // Whether a launch can reach a supplier's memory, its steps were bound to.
    const reaches = this.#memory.supply?.isReachable ?? false;
    const found = this.#ended.findIndex((each) => each.reaches === reaches && areAlike(each.options, options));
    const [known] = found < 0 ? [] : this.#ended.splice(found, 1);
    const diagnostics: Diagnostic[] = [];
    const parameters = known && packArguments(this.program, options.args ?? [], diagnostics);
    if (known !== undefined && parameters !== undefined && !hasErrors(diagnostics)) {
      dismiss(this.#memory);
      this.#memory.supply?.begin();
      if (known.session.again(parameters)) {
        this.#ended.push(known);
        return { value: known.session, diagnostics };
      }
    }
    const made = this.session(options);
    if (made.value !== undefined && this.program.simd === undefined)
      this.#ended.push({ options, reaches, session: made.value });
    if (this.#ended.length > MOST_ENDED) this.#ended.shift();
    return made;
  }

  /** @internal The same kernel with another program, for tools that run a thread alone. */
  with(program: Program): Kernel {
    return new Kernel(program, this.#memory, this.#addressOf, this.#variables, this.#programOf);
  }

  /**
   * Parses statements that use the kernel's registers, or those of a function by its index, its parameters
   * and variables, to be executed with `inject`. Other registers are inferred and belong to the statements. For a kernel of
   * vISA they are lines of vISA.
   */
  injected(source: Source, callee?: number): Staged<Program | undefined> {
    if (this.program.simd !== undefined) return typedVisa(this.program, source);
    const parsed = parseSnippet(source);
    if (hasErrors(parsed.diagnostics)) return { value: undefined, diagnostics: parsed.diagnostics };
    const scope = (callee === undefined ? undefined : this.program.functions[callee]) ?? this.program;
    const around = namesAround({ ...this.program, registers: scope.registers }, this.#variables);
    const { value, diagnostics } = resolveSnippet(source, parsed.value, { around });
    return { value, diagnostics: [...parsed.diagnostics, ...diagnostics] };
  }

  #registers(given: LaunchOptions["registers"], diagnostics: Diagnostic[]): Map<string, readonly bigint[]> {
    const registers = new Map<string, readonly bigint[]>();
    for (const [name, value] of given ?? []) {
      const register = this.program.registers.find((each) => each.name === name);
      if (register === undefined) {
        diagnostics.push(unknownRegister(this.program, name));
        continue;
      }
      const bits = typeof value === "bigint" ? [value] : value;
      const width = register.bits;
      if (bits.length !== register.elements || bits.some((each) => each !== BigInt.asUintN(width, each))) {
        diagnostics.push(
          problem(
            "PTX2102",
            `${name}: ${bits.map((each) => `0x${each.toString(16)}`).join(", ")} is not a value of it`,
            {
              source: this.program.source,
              span: register.span,
              expected: `${register.elements} value${register.elements === 1 ? "" : "s"} of ${width} bits`,
            },
          ),
        );
        continue;
      }
      registers.set(name, bits);
    }
    return registers;
  }
}

/** Whether launches differ in their arguments at most. */
function areAlike(one: LaunchOptions, other: LaunchOptions): boolean {
  const names = Object.keys(one) as (keyof LaunchOptions)[];
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => {
    const [a, b] = [one[name], other[name]];
    if (a === b || name === "args") return true;
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, at) => each === b[at]);
  });
}

/** How many arguments there are. */
const argumentsIn = (args: Arguments = []): number =>
  args instanceof Map ? args.size : (args as readonly unknown[]).length;

/** A register that the program does not have, with the one that was probably meant. */
export function unknownRegister(program: Program, name: string): Diagnostic {
  const names = program.registers.map((register) => register.name);
  // Every name is close to a name of one letter.
  const meant = /^%?.$/.test(name) ? undefined : nearest(name, names);
  const few = names.length > 0 && names.length <= 12;
  return problem("PTX2201", `the program uses no register ${name}`, {
    ...(few ? { expected: names.join(", ") } : {}),
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });
}
