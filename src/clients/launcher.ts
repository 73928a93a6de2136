import { Device, type Kernel, type LaunchOptions, type Supplier } from "../host/index.ts";
import { problem } from "../host/problem.ts";
import { teamOf } from "../interp/create-session.ts";
import type { Session } from "../interp/machine/session.ts";
import type { Team } from "../interp/worker-pool/team.ts";
import type { WorkerPool } from "../interp/worker-pool/worker-pool.ts";
import { type Diagnostic, hasErrors, type Staged } from "../source/diagnostic.ts";
import type { Place, Witness } from "./journal.ts";
import type { Settings } from "./settings.ts";

/** A text as it is run, and the features it uses that its target or version lacks. */
interface Raised {
  readonly text: string;
  readonly warning: Diagnostic;
}

/**
 * Programs for a machine that is only emulated may name old targets (`sm_35`) and use features of newer ones; the
 * emulator can provide them. In a text whose only error is that its `.target` or `.version` is too old (PTX1212,
 * PTX1213), the oldest sufficient one is substituted; undefined for any other text. Lines stay where they are.
 */
function raised(text: string, diagnostics: readonly Diagnostic[]): Raised | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined || !errors.every(({ code }) => code === "PTX1212" || code === "PTX1213")) return undefined;
  const targets = errors.flatMap(({ message }) => needed(/ needs sm_(\d+)([af]?)/.exec(message)));
  const versions = errors.flatMap(({ message, expected = "" }) => [
    ...needed(/ needs PTX (\d+)\.(\d+)/.exec(message)),
    ...needed(/\.version (\d+)\.(\d+)/.exec(expected)),
  ]);
  const target = targets.sort((a, b) => a.major - b.major || a.rest.localeCompare(b.rest)).at(-1);
  const version = versions.sort((a, b) => a.major - b.major || Number(a.rest) - Number(b.rest)).at(-1);
  let made = text;
  if (target !== undefined) made = made.replace(/(\.target\s+)sm_\d+[af]?/, `$1sm_${target.major}${target.rest}`);
  if (version !== undefined) made = made.replace(/(\.version\s+)\d+\.\d+/, `$1${version.major}.${version.rest}`);
  if (made === text) return undefined;
  const says = [
    ...(target === undefined ? [] : [`.target sm_${target.major}${target.rest}`]),
    ...(version === undefined ? [] : [`.version ${version.major}.${version.rest}`]),
  ];
  const help = [{ message: `it is run as if the text said ${says.join(" and ")}` }];
  return { text: made, warning: { ...first, severity: "warning", help } };
}

const needed = (found: RegExpExecArray | null): { readonly major: number; readonly rest: string }[] =>
  found === null ? [] : [{ major: Number(found[1]), rest: found[2] ?? "" }];

/** Kernels that are cached. */
const MAX_READY_KERNELS = 256;
/** Warp instructions of the first slice, and milliseconds that one should take. */
const FIRST_SLICE = 1 << 14;
const SLICE = 100;

/** A client's request: extents in x, y and z, and 64 bits for each parameter. */
export interface Asked {
  readonly block: readonly [number, number, number];
  readonly grid: readonly [number, number, number];
  readonly dynamicShared: number;
  readonly args: readonly bigint[];
  /** The module's first unless told. */
  readonly kernel?: string;
  readonly text: string;
}

/** The result of a launch. */
export interface Outcome {
  /** The kernel's name, if the text has one. */
  readonly kernel?: string;
  /** The error that ended the launch, or prevented it. */
  readonly failure: readonly Diagnostic[];
  /** Other findings. */
  readonly findings: readonly Diagnostic[];
}

/** What a launcher needs of its host. */
export interface Surroundings {
  readonly supplier: Supplier;
  readonly print: (text: string) => void;
  readonly now: () => number;
  /** Called regularly while a launch runs. */
  readonly rest: () => void;
  readonly witnesses?: readonly Witness[];
  readonly settings?: Settings;
  /** Workers that big grids may use. */
  readonly workerPool?: WorkerPool;
}

/** Runs kernels on the memory of the client. Each launch begins as if its text had just been loaded. */
export class Launcher {
  readonly #around: Surroundings;
  #device: Device;
  /** By name and text: kernels without variables, which keep no state between launches. */
  readonly #kernels: Map<string, Loaded> = new Map();
  /** Texts with variables. Each of their launches has a separate device. */
  readonly #stateful: Set<string> = new Set();
  /** Whether the warning that a text is older than its features was already printed. */
  #saidOld = false;
  readonly #announced: Map<bigint, { readonly bytes: number; readonly name: string }> = new Map();

  constructor(around: Surroundings) {
    this.#around = around;
    this.#device = this.#newDevice();
  }

  announce(address: bigint, bytes: number, name: string): void {
    this.#announced.set(address, { bytes, name });
    this.#device.announce(address, bytes, name);
  }

  renounce(address: bigint): void {
    this.#announced.delete(address);
    this.#device.renounce(address);
  }

  launch(asked: Asked): Outcome {
    const loaded = this.#load(asked);
    if (loaded.value === undefined) return { failure: loaded.diagnostics, findings: [] };
    const { kernel, place } = loaded.value;
    const { grid, block, dynamicShared } = asked;
    if (dynamicShared < 0) {
      const wrong = problem(
        "PTX2207",
        `a block with ${dynamicShared} bytes of dynamic shared memory cannot be launched`,
      );
      return { kernel: kernel.name, failure: [wrong], findings: [] };
    }
    const { print, settings } = this.#around;
    const options: LaunchOptions = {
      args: argumentsOf(kernel, asked.args),
      readableRegisters: false,
      grid,
      block,
      dynamicShared,
      print,
      ...(settings?.sanitize && { sanitize: settings.sanitize }),
      ...(settings?.executor && { executor: settings.executor }),
    };
    const { failure, findings } = launchWhole(kernel, loaded.value.text, options, place, this.#around);
    return { kernel: kernel.name, failure, findings: [...this.#news(loaded.diagnostics), ...findings] };
  }

  /** Diagnostics that were not printed for an earlier text. */
  #news(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const news = this.#saidOld ? [] : diagnostics;
    this.#saidOld ||= news.length > 0;
    return news;
  }

  /** A kernel of a module; a warning where the text is older than the features that it uses. */
  #load({ text, kernel }: Asked): Staged<Loaded | undefined> {
    const key = `${kernel ?? ""}\0${text}`;
    const known = this.#kernels.get(key);
    if (known !== undefined) return { value: known, diagnostics: [] };
    if (this.#kernels.size >= MAX_READY_KERNELS) this.#renew();
    if (this.#stateful.size >= MAX_READY_KERNELS) this.#stateful.clear();
    const device = this.#stateful.has(text) ? this.#newDevice() : this.#device;
    const { value, diagnostics } = loadInto(device, text, kernel, this.#around.settings?.onlyAnnounced ?? false);
    if (value === undefined) return { value, diagnostics };
    if (value.place.variables.length === 0) this.#kernels.set(key, value);
    else if (device === this.#device) {
      // Data that it stores there must not be visible to the next launch.
      this.#renew();
      this.#stateful.add(text);
    }
    return { value, diagnostics };
  }

  #renew(): void {
    this.#kernels.clear();
    this.#device = this.#newDevice();
  }

  #newDevice(): Device {
    const { supplier, settings } = this.#around;
    const device = new Device({
      supplier: settings?.onlyAnnounced ? announcedOnly(supplier) : supplier,
      ...(settings?.maxMemory !== undefined && { maxMemory: settings.maxMemory }),
    });
    for (const [address, { bytes, name }] of this.#announced) device.announce(address, bytes, name);
    return device;
  }
}

/** A supplier restricted to announced memory, even if nothing was announced. */
export const announcedOnly = (supplier: Supplier): Supplier => ({
  onlyAnnounced: true,
  read: (address, into) => supplier.read(address, into),
  write: (address, bytes) => supplier.write(address, bytes),
});

/** Runs a launch to its end, with witnesses; no session where it was refused. */
export function launchWhole(
  kernel: Kernel,
  text: string,
  options: LaunchOptions,
  place: Place,
  around: Pick<Surroundings, "now" | "rest" | "witnesses" | "workerPool">,
): Pick<Outcome, "failure" | "findings"> & { readonly session: Session | undefined } {
  const { witnesses = [] } = around;
  for (const each of witnesses) each.begins(kernel, text, options, place);
  const { value: session, diagnostics } = kernel.repeated(options);
  const failure = session === undefined ? diagnostics : runWhole(session, around);
  for (const each of witnesses) each.ends(kernel, session, failure);
  return { failure, findings: session?.findings ?? [], session };
}

/** Runs a session to its end, in slices between which it yields; returns the error that ended it, if any. */
function runWhole(
  session: Session,
  { now, rest, workerPool }: Pick<Surroundings, "now" | "rest" | "workerPool">,
): readonly Diagnostic[] {
  try {
    let began = now();
    // A launch that ends within the first slice is done before workers could be asked.
    let team: Team | undefined;
    for (let budget = FIRST_SLICE; ; ) {
      const stop = team === undefined ? session.run({ budget }) : team.run(SLICE);
      if (stop.reason === "exit") return [];
      if (stop.reason === "trap") return [stop.diagnostic];
      rest();
      team ??= workerPool && teamOf(session, workerPool);
      const took = now() - began;
      budget = Math.ceil(Math.min(4 * budget, Math.max(budget / 4, (budget * SLICE) / Math.max(took, 1))));
      began += took;
    }
  } finally {
    session.close();
  }
}

interface Loaded {
  /** The text that is run. */
  readonly text: string;
  readonly kernel: Kernel;
  readonly place: Place;
}

/** How often a header is raised: a newer target may need a newer version. */
const TIMES = 3;

function loadInto(
  device: Device,
  asked: string,
  kernel: string | undefined,
  onlyAnnounced: boolean,
): Staged<Loaded | undefined> {
  let text = asked;
  const warnings: Diagnostic[] = [];
  for (let time = 0; ; time++) {
    const found = loadExactly(device, text, kernel, onlyAnnounced);
    const newer = found.value === undefined && time < TIMES ? raised(text, found.diagnostics) : undefined;
    if (newer === undefined) return found.value === undefined ? found : { value: found.value, diagnostics: warnings };
    text = newer.text;
    warnings.push(newer.warning);
  }
}

function loadExactly(
  device: Device,
  text: string,
  named: string | undefined,
  onlyAnnounced: boolean,
): Staged<Loaded | undefined> {
  const { value: module, diagnostics } = device.module({ name: "<ptx_run>", text });
  if (module === undefined) return { value: undefined, diagnostics: errorsOf(diagnostics) };
  const [first] = module.entries;
  if (first === undefined) {
    const none = problem("PTX2203", "the module has no kernel to run", { expected: "an .entry" });
    return { value: undefined, diagnostics: [none] };
  }
  const { value: kernel, diagnostics: wrong } = module.kernel(named ?? first);
  if (kernel === undefined) return { value: undefined, diagnostics: errorsOf([...diagnostics, ...wrong]) };
  const variables = module.variables.flatMap((name) => module.variable(name) ?? []);
  return { value: { text, kernel, place: { device, variables, onlyAnnounced } }, diagnostics: [] };
}

/** Warnings of a text that runs concern only its author; for one that does not, they may explain why. */
const errorsOf = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  hasErrors(diagnostics) ? diagnostics.filter(({ severity }) => severity === "error") : diagnostics;

/** Each parameter uses the low bytes of its 64 bits. The launch reports a missing or surplus one. */
function argumentsOf({ program: { parameters } }: Kernel, values: readonly bigint[]) {
  return values.map((value, index) => {
    const parameter = parameters[index];
    return {
      bits: parameter === undefined || parameter.bytes > 8 ? value : BigInt.asUintN(8 * parameter.bytes, value),
    };
  });
}
