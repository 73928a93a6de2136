import { closeSync, openSync, readSync } from "node:fs";
import { Exit, exitOf, worst } from "../environment/exit.ts";
import { reason } from "../environment/reason.ts";
import type { Supplier } from "../host/index.ts";
import { renderDiagnostics } from "../present/diagnostic.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { workerPoolFor } from "../system/node-worker-pool.ts";
import { version } from "../system/version.ts";
import { CallerGone, Connection, type Wire } from "./connection.ts";
import type { Answer } from "./driver/answer.ts";
import { calls } from "./driver/calls.ts";
import { Driver } from "./driver/driver.ts";
import { Status } from "./driver/status.ts";
import { Journal } from "./journal.ts";
import { KeptFindings, keyOf, MOST_FINDINGS, mildly } from "./kept-findings.ts";
import { Launcher, type Surroundings } from "./launcher.ts";
import { Kind, type Message, MOST_READ, PAGE, Reader, u32, u64, utf8, VERSION } from "./protocol.ts";
import { Recorder } from "./recorder.ts";
import { settingsOf } from "./settings.ts";

/**
 * The memory of the client that requested a launch and waits for its end. The client itself writes all stored data, so
 * its page protections apply. If it has passed a descriptor of its memory, the worker reads directly.
 */
class CallerMemory implements Supplier {
  readonly #connection: Connection;
  readonly #descriptor: number | undefined;
  /** Pages that came with the request, by their addresses. */
  #sent: ReadonlyMap<bigint, Uint8Array> = new Map();

  constructor(connection: Connection, descriptor: number | undefined) {
    this.#connection = connection;
    this.#descriptor = descriptor;
  }

  /** Accepts the pages that the caller has sent in advance; earlier ones are out of date. */
  begin(pages: ReadonlyMap<bigint, Uint8Array>): void {
    this.#sent = pages;
  }

  read(address: bigint, into: Uint8Array): number {
    const sent = this.#sent.get(address);
    if (sent !== undefined && sent.length <= into.length) {
      into.set(sent);
      return sent.length;
    }
    let read = 0;
    while (read < into.length) {
      const part = into.subarray(read, read + MOST_READ);
      const from = address + BigInt(read);
      const got = this.#descriptor === undefined ? this.#ask(from, part) : readFile(this.#descriptor, from, part);
      read += got;
      if (got < part.length) break;
    }
    return read;
  }

  write(address: bigint, bytes: Uint8Array): void {
    if (bytes.length < LARGE) this.#connection.sendLater(Kind.write, u64(address), copied(bytes));
    for (let at = 0; bytes.length >= LARGE && at < bytes.length; at += MOST_WRITE)
      if (!this.#connection.sendLarge(Kind.write, u64(address + BigInt(at)), bytes.subarray(at, at + MOST_WRITE)))
        throw new CallerGone();
  }

  #ask(address: bigint, into: Uint8Array): number {
    if (!this.#connection.send(Kind.read, u64(address), u32(into.length))) throw new CallerGone();
    const got = this.#connection.receiveInto(Kind.bytes, into);
    if (got === undefined) throw new CallerGone();
    return got;
  }
}

/** Bytes that are sent from where they lie, and the most of one message. */
const LARGE = 1 << 16;
const MOST_WRITE = 2 ** 30;

/** A copy of bytes that may change later, and may be shared: `set` is many times faster there than a constructor. */
function copied(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}

/**
 * The file has 63-bit addresses; an unmapped address is a read error, and a read up to the end of a mapping returns
 * fewer bytes.
 */
function readFile(descriptor: number, address: bigint, into: Uint8Array): number {
  if (address >> 63n !== 0n) return 0;
  try {
    return readSync(descriptor, into, 0, into.length, address);
  } catch {
    return 0;
  }
}

/** Characters of device printf that are buffered before they are sent. */
const GATHERED = 1 << 14;
/** The client process. */
export interface Client {
  readonly wire: Wire;
  /** A descriptor of its memory, which is open if its HELLO says so. */
  readonly memory: number;
  /** Whether it has disconnected while it should wait. */
  readonly isLeft: () => boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file of the threads that run blocks of big grids. */
  readonly poolWorker?: string;
}

/** Answers a client until it disconnects, see `native/protocol.h`. `now` returns milliseconds. */
export function serve(client: Client, now: () => number): void {
  const connection = new Connection(client.wire);
  const hello = connection.receive();
  if (hello?.kind !== Kind.hello) return;
  const words = new Reader(hello);
  const theirs = words.u32();
  if (theirs !== VERSION) {
    const which = `ptxrun ${version} speaks version ${VERSION} of the protocol, and the library version ${theirs}`;
    connection.send(Kind.ends, utf8(`${which}: rebuild the library with npm run native`));
    return;
  }
  const descriptor = words.u32() === 0 ? undefined : client.memory;
  const service = new Service(connection, descriptor, now, client);
  connection.send(Kind.hello, u32(VERSION));
  try {
    for (let message = connection.receive(); message !== undefined; message = connection.receive())
      service.answer(message);
  } catch (error) {
    if (!(error instanceof CallerGone)) throw error;
    if (error.message !== "") connection.send(Kind.ends, utf8(error.message));
  }
}

class Service {
  readonly #connection: Connection;
  readonly #memory: CallerMemory;
  readonly #around: Surroundings;
  readonly #launcher: Launcher;
  readonly #recorder: Recorder | undefined;
  /** The device behind the driver API, once a client has requested one. */
  #driver: Driver | undefined;
  readonly #announced: Map<bigint, { readonly bytes: number; readonly name: string }> = new Map();
  #printed = "";
  readonly #reported: Set<string> = new Set();
  /** Problems with the settings that are not reported yet. */
  #problems: readonly string[];

  constructor(
    connection: Connection,
    descriptor: number | undefined,
    now: () => number,
    { isLeft, env, poolWorker }: Client,
  ) {
    const settings = settingsOf(env);
    const { workerPool } = workerPoolFor(settings.jobs, { now, ...(poolWorker !== undefined && { poolWorker }) });
    this.#connection = connection;
    this.#problems = settings.problems;
    this.#memory = new CallerMemory(connection, descriptor);
    const say = (text: string): void => {
      // The program's output on the device comes before messages about it.
      this.#flush("later");
      if (!connection.send(Kind.note, utf8(text))) throw new CallerGone();
    };
    this.#around = {
      supplier: this.#memory,
      settings,
      ...(workerPool && { workerPool }),
      witnesses: [
        new Journal(settings, say, now),
        ...(settings.findings === undefined ? [] : [new KeptFindings(settings.findings, settings, say)]),
      ],
      now,
      print: (text) => {
        this.#printed += text;
        if (this.#printed.length > GATHERED) this.#flush("later");
      },
      rest: () => {
        if (isLeft()) throw new CallerGone();
        this.#flush("now");
      },
    };
    const { record } = settings;
    this.#recorder = record === undefined ? undefined : new Recorder(record, settings, this.#memory, say);
    const recorder = this.#recorder;
    if (recorder !== undefined) {
      const witnesses = [...(this.#around.witnesses ?? []), recorder];
      this.#around = { ...this.#around, witnesses, supplier: recorder };
    }
    this.#launcher = new Launcher(this.#around);
  }

  answer(message: Message): void {
    const words = new Reader(message);
    if (message.kind === Kind.launch || message.kind === Kind.call) this.#complain();
    switch (message.kind) {
      case Kind.launch:
        this.#finish(() => this.#launch(words));
        return;
      case Kind.call:
        this.#memory.begin(new Map());
        this.#call(words);
        return;
      case Kind.register:
        this.#announce(words.u64(), Math.min(Number(words.u64()), Number.MAX_SAFE_INTEGER), words.text());
        return;
      case Kind.unregister:
        this.#renounce(words.u64());
        return;
      default:
        throw new Error(`a client sent a message of kind ${message.kind}`);
    }
  }

  #complain(): void {
    for (const problem of this.#problems) this.#connection.sendLater(Kind.note, utf8(problem));
    this.#problems = [];
  }

  #announce(address: bigint, bytes: number, said: string): void {
    const name = said || "an announced range";
    this.#announced.set(address, { bytes, name });
    this.#launcher.announce(address, bytes, name);
    this.#recorder?.announce({ address, bytes, name });
    this.#driver?.announce(address, bytes, name);
  }

  #renounce(address: bigint): void {
    this.#announced.delete(address);
    this.#launcher.renounce(address);
    this.#recorder?.renounce(address);
    this.#driver?.renounce(address);
  }

  /** A call of the driver API: 0 makes the device, of u32 target (90 for sm_90) and u64 bytes of memory. */
  #call(words: Reader): void {
    let answer: Answer;
    try {
      const number = words.u32();
      const call = calls[number];
      if (number === 0) answer = this.#begin(words.u32(), Number(words.u64()));
      else if (this.#driver === undefined || call === undefined) answer = { status: Status.notSupported };
      else answer = call(this.#driver, words);
    } catch (error) {
      if (error instanceof CallerGone) throw error;
      answer = { status: Status.unknown, text: bugOf(error) };
    }
    this.#flush("later");
    const { status, words: numbers = [], text = "" } = answer;
    const parts = [u32(status), u32(numbers.length), ...numbers.map((each) => u64(each)), utf8(text)];
    if (!this.#connection.send(Kind.answer, ...parts)) throw new CallerGone();
  }

  #begin(target: number, memory: number): Answer {
    this.#driver = new Driver({
      ...this.#around,
      target,
      memory: Math.min(memory, this.#around.settings?.maxMemory ?? memory),
      found: (findings) => this.#report(findings),
    });
    for (const [address, { bytes, name }] of this.#announced) this.#driver.announce(address, bytes, name);
    return { status: Status.success };
  }

  #launch(words: Reader): { readonly exit: number; readonly text: string } {
    const block = [words.i32(), words.i32(), words.i32()] as const;
    const grid = [words.i32(), words.i32(), words.i32()] as const;
    const dynamicShared = words.i32();
    const args = Array.from({ length: words.u32() }, () => words.u64());
    // A copy, which slice() of a node Buffer is not: answers to READ overwrite the message in the connection's window.
    const pages = Array.from({ length: words.u32() }, () => [words.u64(), new Uint8Array(words.bytes(PAGE))] as const);
    this.#memory.begin(new Map(pages));
    const named = new TextDecoder().decode(words.bytes(words.u32()));
    const { kernel, failure, findings } = this.#launcher.launch({
      block,
      grid,
      dynamicShared,
      args,
      ...(named !== "" && { kernel: named }),
      text: words.text(),
    });
    this.#flush("later");
    this.#report(findings);
    if (failure.length === 0) return { exit: Exit.ok, text: "" };
    const size = `a grid of ${grid.join(",")}, blocks of ${block.join(",")}`;
    const head = `ptxrun: ptx_run failed${kernel === undefined ? "" : `, kernel ${kernel}, ${size}`}\n`;
    return { exit: worst(failure.map(exitOf)) || Exit.bug, text: head + renderDiagnostics(failure) };
  }

  /** Sends the response to a request, whatever happens: a bug of ours is a response as well. */
  #finish(work: () => { readonly exit: number; readonly text: string }): void {
    let exit: number = Exit.bug;
    let text = "";
    try {
      ({ exit, text } = work());
    } catch (error) {
      if (error instanceof CallerGone) throw error;
      text = bugOf(error);
    }
    if (!this.#connection.send(Kind.finished, u32(exit), utf8(text))) throw new CallerGone();
  }

  /** Sends buffered output: at once, or with the next message. */
  #flush(when: "now" | "later"): void {
    if (this.#printed === "") return;
    const text = utf8(this.#printed);
    this.#printed = "";
    if (when === "later") this.#connection.sendLater(Kind.print, text);
    else if (!this.#connection.send(Kind.print, text)) throw new CallerGone();
  }

  /** Creates the file that marks findings, if it does not exist. */
  #note(path: string): void {
    try {
      closeSync(openSync(path, "a"));
    } catch (error) {
      this.#connection.sendLater(Kind.note, utf8(`ptxrun: cannot write ${path}: ${reason(error)}\n`));
    }
  }

  /** Reports findings of launches that continued, each once: a framework launches the same kernel many times. */
  #report(all: readonly Diagnostic[]): void {
    const { found, sanitize } = this.#around.settings ?? {};
    const errors = all.filter(({ severity }) => severity !== "note");
    const findings = sanitize === undefined ? errors.map(mildly) : errors;
    if (found !== undefined && findings.some((each) => exitOf(each) === Exit.finding)) this.#note(found);
    for (const finding of findings) {
      const key = keyOf(finding);
      if (this.#reported.has(key) || this.#reported.size >= MOST_FINDINGS) continue;
      this.#reported.add(key);
      this.#connection.sendLater(Kind.note, utf8(renderDiagnostics([finding])));
    }
  }
}

function bugOf(error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `bug in ptxrun ${version}: ${what}\nThe mistake is ours, not your program's: report it with the program.\n`;
}
