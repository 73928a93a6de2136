import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../../../../src/clients/serve.ts";
import { Device, type Kernel } from "../../../../src/host/index.ts";
import { RecordReader, tag } from "../../../../src/launch/value/memory-records.ts";
import type { Staged } from "../../../../src/source/diagnostic.ts";
import { Random } from "../../executors/random.ts";
import { ModelClient, PAGE, ProcessMemory } from "../../pages/client.ts";
import { kernelText, type Operation, operationNames, type Step } from "../../pages/kernel.ts";
import type { Input, Target } from "../input.ts";

const BUFFERS = 3;
/** Pages of the client's memory at most. */
const MOST = 64;

/**
 * Launches on a client's memory, which must leave there what the same launches leave in a device's own: a kernel that touches pages of
 * several buffers in an order that its input tells. An input is how the worker gets memory (`requests` or `descriptor`, `pieces` where
 * messages come in parts, `record` where launches are kept), the steps of the kernel, and a seed a launch.
 */
export const pages: Target = {
  bases: () => [["requests", lines(["ld.u32 0", "ld.u64 1", "st.u32 2"]), lines([1])]],
  change: (_input, random) => {
    const words = [random.any(["requests", "descriptor"])];
    if (random.chance(30)) words.push("pieces");
    if (random.chance(20)) words.push("record");
    const steps = Array.from(
      { length: 1 + random.below(12) },
      () => `${random.any(operationNames)} ${random.below(BUFFERS)}`,
    );
    const seeds = Array.from({ length: random.any([1, 4, 200]) }, () => random.word());
    return [words.join(" "), lines(steps), lines(seeds)];
  },
  attempt: async (input) => differenceIn(input),
};

/** What memory is filled with, from anywhere in it on. */
const noise = ((random) =>
  new Uint8Array(Uint32Array.from({ length: (2 * MOST * PAGE) / 4 }, () => random.word()).buffer))(new Random(1));

const lines = (words: readonly (string | number)[]): string => words.map((word) => `${word}\n`).join("");
const wordsOf = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** The first byte that is not as it is without a client, or what else went wrong. */
function differenceIn([way, steps, seeds]: Input): string | undefined {
  const words = wordsOf(way);
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-pages-"));
  try {
    return new Conversation(words, stepsOf(steps), wordsOf(seeds).map(Number), folder).difference;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const stepsOf = (text = ""): readonly Step[] =>
  text.split("\n").flatMap((line) => {
    const [operation, buffer] = line.split(" ");
    const is = operationNames.includes(operation as Operation) && Number(buffer) < BUFFERS && buffer !== "";
    return is ? [{ operation: operation as Operation, buffer: Number(buffer) }] : [];
  });

function staged<T>({ value, diagnostics }: Staged<T | undefined>): T {
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join());
  return value;
}

/** Where in memory the arguments of a launch lie, by their numbers. */
interface Plan {
  readonly threads: number;
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
}

/** A client whose launches are done again on a device of their own, and compared as soon as they have ended. */
class Conversation {
  difference: string | undefined;
  readonly #text: string;
  readonly #steps: readonly Step[];
  readonly #seeds: readonly number[];
  readonly #memory: ProcessMemory;
  readonly #record: string | undefined;
  readonly #device = new Device({ maxMemory: 1 << 22 });
  readonly #kernel: Kernel;
  /** The launch that goes on: what it must leave, and what it found. */
  #plan: Plan | undefined;
  #wanted: Uint8Array = new Uint8Array(0);
  #found: Uint8Array = new Uint8Array(0);
  #launches = 0;

  constructor(words: readonly string[], steps: readonly Step[], seeds: readonly number[], folder: string) {
    this.#steps = steps;
    this.#seeds = seeds;
    this.#text = kernelText(steps, BUFFERS);
    this.#kernel = staged(staged(this.#device.module({ name: "k.ptx", text: this.#text })).kernel("k"));
    const random = new Random(seeds.reduce((sum, seed) => Math.imul(sum, 31) + seed, steps.length));
    const count = 16 + random.below(MOST - 16);
    this.#memory = new ProcessMemory(BigInt(random.below(1 << 28)) * BigInt(PAGE), count);
    this.#record = words.includes("record") ? join(folder, "launches") : undefined;
    const file = openSync(join(folder, "memory"), "w+");
    try {
      const put = (address: bigint, bytes: Uint8Array): void => {
        writeSync(file, bytes, 0, bytes.length, Number(address));
      };
      const client = new ModelClient({
        memory: this.#memory,
        byDescriptor: words.includes("descriptor"),
        pieces: words.includes("pieces") ? random : undefined,
        wrote: put,
        next: (finished) => {
          this.#judge(finished);
          const asked = this.difference === undefined ? this.#next() : undefined;
          if (asked !== undefined) put(this.#memory.base, this.#memory.bytes);
          return asked;
        },
      });
      const env = this.#record === undefined ? {} : { PTXRUN_RECORD: this.#record };
      serve({ wire: client, memory: file, isLeft: () => false, env }, () => 0);
      this.difference ??= client.odd[0] ?? (this.#launches < seeds.length ? "the worker has left" : undefined);
    } finally {
      closeSync(file);
    }
  }

  #next() {
    const seed = this.#seeds[this.#launches];
    if (seed === undefined) return undefined;
    this.#launches++;
    const random = new Random(seed);
    const { bytes, base } = this.#memory;
    bytes.set(noise.subarray(random.below(bytes.length)).subarray(0, bytes.length));
    const threads = random.any([1, 1, 2, 5, 32]);
    const plan = planned(threads, this.#steps.length, bytes.length, random);
    this.#plan = plan;
    this.#memory.mapped = this.#memory.mapped.map((_, page) => touches(plan, page) || random.chance(70));
    const script = new Uint32Array(bytes.buffer, plan.offsets[0], threads * this.#steps.length);
    this.#steps.forEach(({ buffer }, step) => {
      for (let thread = 0; thread < threads; thread++)
        script[step * threads + thread] = 16 * random.below((plan.sizes[2 + buffer] ?? 0) / 16);
    });
    this.#found = new Uint8Array(bytes);
    this.#wanted = this.#without(plan, this.#found);
    return { text: this.#text, threads, args: plan.offsets.map((offset) => base + BigInt(offset)) };
  }

  /** What memory holds after the launch, which a device's own buffers tell. */
  #without({ threads, offsets, sizes }: Plan, before: Uint8Array): Uint8Array {
    const buffers = offsets.map((offset, index) =>
      this.#device.buffer(before.subarray(offset, offset + (sizes[index] ?? 0))),
    );
    const { stop } = staged(this.#kernel.launch({ block: threads, args: buffers }));
    if (stop.reason !== "exit") throw new Error(`without a client it ends by ${stop.reason}`);
    const after = new Uint8Array(before);
    buffers.forEach((buffer, index) => {
      after.set(buffer.read(), offsets[index]);
      buffer.free();
    });
    return after;
  }

  /** Compares what a launch has left, and what was recorded of it. */
  #judge(finished: string | undefined): void {
    if (finished === undefined || this.#plan === undefined) return;
    if (finished !== "0 ") this.difference ??= `it ended with ${finished}`;
    const { bytes } = this.#memory;
    if (Buffer.compare(bytes, this.#wanted) !== 0) {
      const at = bytes.findIndex((byte, index) => byte !== this.#wanted[index]);
      this.difference ??= `launch ${this.#launches}: byte ${at} is ${bytes[at]}, not ${this.#wanted[at]}`;
    }
    if (this.#record !== undefined) this.difference ??= this.#misrecorded(this.#record);
  }

  /** Pages must be as the launch found them, and changes must lead to what it left. */
  #misrecorded(folder: string): string | undefined {
    const name =
      readdirSync(folder)
        .filter((file) => file.endsWith(".mem"))
        .sort()
        .at(-1) ?? "";
    const reader = new RecordReader(new Uint8Array(readFileSync(join(folder, name))));
    const { base } = this.#memory;
    const left = new Uint8Array(this.#found);
    for (let record = reader.next(); record !== undefined; record = reader.next()) {
      if (record.kind !== tag.page && record.kind !== tag.change) continue;
      const from = Number(record.address - base);
      const mine = record.kind === tag.page ? this.#found.subarray(from, from + PAGE) : undefined;
      if (mine === undefined) left.set(record.bytes, from);
      else if (Buffer.compare(mine, record.bytes) !== 0) return `${name}: the page at ${from} is not the client's`;
    }
    return Buffer.compare(left, this.#wanted) === 0 ? undefined : `${name}: changes lead to something else`;
  }
}

const touches = ({ offsets, sizes }: Plan, page: number): boolean =>
  offsets.some((offset, index) => offset < (page + 1) * PAGE && offset + (sizes[index] ?? 0) > page * PAGE);

/** Arrays behind each other in memory, with gaps: the script, what each thread leaves, and the buffers. */
function planned(threads: number, steps: number, bytes: number, random: Random): Plan {
  const least = [Math.ceil((4 * threads * steps) / 16) * 16 || 16, Math.ceil(threads / 2) * 16];
  const left = bytes - (least[0] ?? 0) - (least[1] ?? 0);
  const sizes = [...least, ...Array.from({ length: BUFFERS }, () => 16 * (1 + random.below(left / BUFFERS / 16 - 1)))];
  const order = sizes.map((_, index) => index).sort(() => random.below(3) - 1);
  let free = bytes - sizes.reduce((sum, size) => sum + size, 0);
  let at = 0;
  const offsets: number[] = [];
  for (const index of order) {
    const gap = random.chance(50) ? 0 : 16 * random.below(free / 16 + 1);
    free -= gap;
    offsets[index] = at + gap;
    at += gap + (sizes[index] ?? 0);
  }
  return { threads, offsets, sizes };
}
