import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { joined } from "../environment/bytes.ts";
import { quoted } from "../environment/quoted.ts";
import { reason } from "../environment/reason.ts";
import {
  type Argument,
  DEVICE_MEMORY,
  type DeviceState,
  type Kernel,
  type LaunchOptions,
  type Supplier,
} from "../host/index.ts";
import type { Parameter } from "../interp/contract/program.ts";
import type { Session } from "../interp/machine/session.ts";
import { changesBetween } from "../launch/value/memory-changes.ts";
import { beginning, PAGE, type Recorded, recordBytes, tag } from "../launch/value/memory-records.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { bytesOf } from "./argument-text.ts";
import type { Place, Witness } from "./journal.ts";
import { utf8 } from "./protocol.ts";
import type { Settings } from "./settings.ts";

/** Most launches in a folder. */
const MAX_RECORDED_LAUNCHES = 9999;

/** Bytes that a replayed launch may need besides the recorded allocations. */
const ROOM_FOR_LAUNCH = 2 ** 28;

/** A range that the program has announced. */
interface NamedRange {
  readonly address: bigint;
  readonly bytes: number;
  readonly name: string;
}

/** A running launch, and its files. */
interface Begun {
  readonly name: string;
  /** The words of its command line. */
  readonly line: readonly string[];
  readonly words: readonly string[];
  readonly args: readonly string[];
  readonly place: Place;
  readonly before: DeviceState;
  readonly files: Files;
}

/** The descriptors of a launch's files, by their extension. */
type Files = Readonly<Record<"ptx" | "mem" | "ptxcheck.json", number>>;

/**
 * Keeps each launch in a folder as files that replay it: `NNNN-kernel.ptx`, `.mem` with the memory that it found,
 * `.ptxcheck.json` for `ptxrun check`, and a line in `launches` for `ptxrun run` and `repl`. All of them exist before
 * it begins, and pages of the program's memory as soon as it touches them: a launch may be the end of its process.
 * Others may write in the folder, too: files are new ones, and what stands in the place of one, such as a link, is left
 * alone.
 */
export class Recorder implements Witness, Supplier {
  readonly #folder: string;
  readonly #settings: Settings;
  readonly #caller: Supplier;
  readonly #say: (text: string) => void;
  readonly #ranges: Map<bigint, NamedRange> = new Map();
  #launch: Begun | undefined;
  #number = 1;

  /** `say`: writes to the client's standard error. */
  constructor(folder: string, settings: Settings, caller: Supplier, say: (text: string) => void) {
    this.#folder = folder;
    this.#settings = settings;
    this.#caller = caller;
    this.#say = say;
  }

  announce(range: NamedRange): void {
    this.#ranges.set(range.address, range);
  }

  renounce(address: bigint): void {
    this.#ranges.delete(address);
  }

  read(address: bigint, into: Uint8Array): number {
    const got = this.#caller.read(address, into);
    const pages: Recorded[] = [];
    for (let at = 0; at + PAGE <= got && this.#launch !== undefined; at += PAGE)
      pages.push({ kind: tag.page, address: address + BigInt(at), bytes: into.subarray(at, at + PAGE) });
    this.#add(pages);
    return got;
  }

  write(address: bigint, bytes: Uint8Array): void {
    this.#add([{ kind: tag.change, address, bytes }]);
    this.#caller.write(address, bytes);
  }

  begins(kernel: Kernel, text: string, options: LaunchOptions, place: Place): void {
    this.#try(() => {
      mkdirSync(this.#folder, { recursive: true });
      const made = this.#place(kernel.name);
      if (made === undefined) return;
      const { name, files } = made;
      const whole = join(this.#folder, name);
      const args = argumentsOf(kernel, options);
      const before = place.device.state();
      const words = [...launchWords(kernel, options, this.#settings), ...memoryWords(before)];
      const line = [`${whole}.ptx`, ...words, "--memory", `${whole}.mem`, ...args.flatMap((each) => ["-a", each])];
      this.#launch = { name, line, words, args, place, before, files };
      writeAll(files.ptx, utf8(text));
      writeAll(files.mem, beginning());
      this.#add(found([...this.#ranges.values()], place, before));
      // The expected result of a launch that never ends.
      const { timeout } = this.#settings;
      const limit = timeout === undefined ? [] : ["--timeout", `${Math.ceil(1000 * timeout)}ms`];
      this.#expect(this.#launch, limit, timeout === undefined ? ["?"] : ["fault limit"]);
      const list = join(this.#folder, "launches");
      if (!append(list, `ptxrun ${line.map(quoted).join(" ")}\n`))
        this.#say(`ptxrun: ${list} is not a file that only this user can write: nothing is added to it\n`);
    });
  }

  ends(_kernel: Kernel, session: Session | undefined, failure: readonly Diagnostic[]): void {
    if (this.#launch === undefined) return;
    const { line, place, before, files } = this.#launch;
    this.#try(() => {
      const told = [...failure, ...(session?.findings ?? [])].filter(({ severity }) => severity !== "note");
      const faults = [...new Set(told.map(({ code }) => `fault ${code}`))];
      const wanted = failure.length > 0 ? faults : [...faults, "memory"];
      if (failure.length === 0) {
        const changes = changesBetween(before, place.device.state());
        this.#add([...changes.map((each) => ({ kind: tag.change, ...each })), { kind: tag.end }]);
      }
      if (this.#launch !== undefined) this.#expect(this.#launch, [], wanted);
      if (failure.length === 0) return;
      const again = line.map(quoted).join(" ");
      this.#say(`ptxrun: recorded: ptxrun ${again}\nptxrun: to step through it: ptxrun repl ${again}\n`);
    });
    this.#launch = undefined;
    for (const file of Object.values(files)) closeSync(file);
  }

  /** Writes the expectations for `ptxrun check`. */
  #expect({ name, words, args, files }: Begun, limits: readonly string[], wanted: readonly string[]): void {
    const directives = [
      `args: ${[...words, ...limits, "--memory", `${name}.mem`].join(" ")}`,
      `case recorded: ${[...args, "->", ...wanted].join(" ")}`,
    ];
    const sidecar = { schema: "ptxrun.check-sidecar/1", directives };
    const text = utf8(`${JSON.stringify(sidecar, null, 2)}\n`);
    writeAll(files["ptxcheck.json"], text, 0);
    ftruncateSync(files["ptxcheck.json"], text.length);
  }

  #add(records: readonly Recorded[]): void {
    const { mem } = this.#launch?.files ?? {};
    if (mem === undefined || records.length === 0) return;
    this.#try(() => writeAll(mem, joined(records.map(recordBytes))));
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#say(`ptxrun: cannot record in ${this.#folder}: ${reason(error)}\n`);
    }
  }

  /** Creates a launch's files under the first free number, as other processes may record there too. */
  #place(kernel: string): { readonly name: string; readonly files: Files } | undefined {
    const label = kernel.replace(/[^\w.-]/g, "_").slice(0, 80);
    for (; this.#number <= MAX_RECORDED_LAUNCHES; this.#number++) {
      const name = `${String(this.#number).padStart(4, "0")}-${label}`;
      const files = create(join(this.#folder, name));
      if (files === undefined) continue;
      this.#number++;
      return { name, files };
    }
    return undefined;
  }
}

const kinds = ["ptx", "mem", "ptxcheck.json"] as const;

/** Creates files with these names; undefined where one existed. Existing files are not opened, links included. */
function create(path: string): Files | undefined {
  const made: [string, number][] = [];
  try {
    for (const kind of kinds) made.push([kind, openSync(`${path}.${kind}`, "wx")]);
    return Object.fromEntries(made) as Files;
  } catch (error) {
    for (const [kind, file] of made) {
      closeSync(file);
      rmSync(`${path}.${kind}`);
    }
    if (codeOf(error) !== "EEXIST") throw error;
    return undefined;
  }
}

/**
 * Appends to a file of this user, or creates it; false for a link, and for a file that another user may have put there.
 */
function append(path: string, text: string): boolean {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: number;
  try {
    file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o666);
  } catch (error) {
    if (codeOf(error) === "ELOOP" || codeOf(error) === "ENXIO") return false;
    throw error;
  }
  try {
    const found = fstatSync(file);
    const own = found.isFile() && found.nlink === 1 && found.uid === process.geteuid?.();
    if (own) writeAll(file, utf8(text));
    return own;
  } finally {
    closeSync(file);
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** Writes all bytes, at the end of what was written or from a place on. */
function writeAll(file: number, bytes: Uint8Array, from?: number): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(file, bytes, at, bytes.length - at, from === undefined ? null : from + at);
}

/** The memory contents before a launch. */
const found = (ranges: readonly NamedRange[], place: Place, before: DeviceState): readonly Recorded[] => [
  ...(place.onlyAnnounced ? [{ kind: tag.onlyAnnounced }] : []),
  ...ranges.map((each) => ({ kind: tag.range, ...each })),
  ...place.variables.map(({ name, address }) => ({ kind: tag.variable, name, address })),
  ...before.allocations.map((allocation) => ({ kind: tag.allocation, allocation })),
  ...before.pages.map((page) => ({ kind: tag.devicePage, page })),
  ...(before.images ?? []).map((image) => ({ kind: tag.image, image })),
];

function launchWords(kernel: Kernel, options: LaunchOptions, settings: Settings): string[] {
  const { grid, block, dynamicShared = 0, cluster, cooperative, stack, arch } = options;
  const extent = (of: LaunchOptions["grid"]): string => [of ?? 1].flat().join(",");
  const { sanitize } = settings;
  const checks = Object.entries(sanitize ?? {}).flatMap(([name, on]) => (on ? [name] : []));
  return [
    ...["--entry", kernel.name, "--grid", extent(grid), "--block", extent(block)],
    ...(dynamicShared > 0 ? ["--smem", String(dynamicShared)] : []),
    ...(cluster === undefined ? [] : ["--cluster", extent(cluster)]),
    ...(cooperative ? ["--cooperative"] : []),
    ...(stack === undefined ? [] : ["--stack", String(stack)]),
    ...(arch === undefined ? [] : ["--arch", arch]),
    ...(sanitize === undefined ? [] : ["--sanitize", checks.join(",") || "none"]),
  ];
}

/** A client's device may be larger than that of a run, which needs room for the launch itself, too. */
function memoryWords({ allocations }: DeviceState): string[] {
  const top = allocations.reduce((most, { address, bytes }) => Math.max(most, address + bytes), 0);
  return top > DEVICE_MEMORY - ROOM_FOR_LAUNCH ? ["--max-mem", "2G"] : [];
}

function argumentsOf({ program: { parameters } }: Kernel, { args }: LaunchOptions): string[] {
  const given = Array.isArray(args) ? (args as readonly Argument[]) : [];
  return parameters.flatMap((parameter, at) => {
    const bytes = bytesOf(given[at], parameter.bytes);
    return bytes === undefined ? [] : [`${parameter.name}=${spelled(parameter, bytes)}`];
  });
}

function spelled({ aggregate }: Parameter, bytes: Uint8Array): string {
  const digits = [...(aggregate ? bytes : bytes.toReversed())].map((byte) => byte.toString(16).padStart(2, "0"));
  return `${aggregate ? "hex:" : "0x"}${digits.join("")}`;
}
