import { appendFileSync } from "node:fs";
import { reason } from "../environment/reason.ts";
import type { Buffer, Device, Kernel, LaunchOptions } from "../host/index.ts";
import type { Session } from "../interp/machine/session.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { argumentText } from "./argument-text.ts";
import type { Settings } from "./settings.ts";

/** The context of a launch: its device, and the variables of its module. */
export interface Place {
  readonly device: Device;
  readonly variables: readonly Buffer[];
  /** Whether kernels may touch only announced ranges of the caller's memory. */
  readonly onlyAnnounced?: boolean;
}

/** Observes each launch: before its session is made, and when it has ended. */
export interface Witness {
  begins(kernel: Kernel, text: string, options: LaunchOptions, place: Place): void;
  /** `session` is undefined where the launch was refused. */
  ends(kernel: Kernel, session: Session | undefined, failure: readonly Diagnostic[]): void;
}

/** Prints the launches (`trace`) and their costs (`stats`), in lines. */
export class Journal implements Witness {
  readonly #settings: Settings;
  readonly #say: (text: string) => void;
  readonly #now: () => number;
  #launches = 0;
  #began = 0;
  #steps = 0;
  #milliseconds = 0;
  #isLogBroken = false;

  /** `say`: writes to the client's standard error at once. */
  constructor(settings: Settings, say: (text: string) => void, now: () => number) {
    this.#settings = settings;
    this.#say = say;
    this.#now = now;
  }

  begins(kernel: Kernel, _text: string, options: LaunchOptions): void {
    this.#launches += 1;
    if (this.#settings.trace) this.#write(`launch ${this.#launches}: ${described(kernel, options)}`);
    this.#began = this.#now();
  }

  ends(kernel: Kernel, session: Session | undefined, failure: readonly Diagnostic[]): void {
    const took = this.#now() - this.#began;
    const steps = session?.steps ?? 0;
    this.#milliseconds += took;
    this.#steps += steps;
    if (!this.#settings.stats) return;
    const how = failure.length === 0 ? "" : session === undefined ? ", refused" : ", failed";
    const all = `${this.#launches} so far: ${this.#steps} in ${this.#milliseconds.toFixed(1)} ms`;
    const one = `${steps} warp instructions in ${took.toFixed(1)} ms${how}`;
    this.#write(`launch ${this.#launches}, ${kernel.name}: ${one} (${all})`);
  }

  #write(line: string): void {
    const { log } = this.#settings;
    if (log === undefined || this.#isLogBroken) {
      this.#say(`ptxrun: ${line}\n`);
      return;
    }
    try {
      appendFileSync(log, `${line}\n`);
    } catch (error) {
      this.#isLogBroken = true;
      this.#say(`ptxrun: cannot write ${log}: ${reason(error)}\nptxrun: ${line}\n`);
    }
  }
}

function described(kernel: Kernel, options: LaunchOptions): string {
  const { grid, block, cluster, dynamicShared = 0, cooperative } = options;
  const { parameters } = kernel.program;
  const args = Array.isArray(options.args) ? options.args : [];
  const values = parameters.map((parameter, at) => `${parameter.name}=${argumentText(parameter, args[at])}`);
  return [
    `${kernel.name}(${values.join(", ")})`,
    `grid ${extent(grid)}`,
    `block ${extent(block)}`,
    ...(cluster === undefined ? [] : [`cluster ${extent(cluster)}`]),
    ...(dynamicShared === 0 ? [] : [`${dynamicShared} bytes of dynamic shared memory`]),
    ...(cooperative ? ["cooperative"] : []),
  ].join(", ");
}

const extent = (of: LaunchOptions["grid"]): string => (of === undefined ? "1" : [of].flat().join("x"));
