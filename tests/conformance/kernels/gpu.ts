import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { type Buffer, Device, type Launch, type LaunchOptions, type Module, must } from "../../../src/index.ts";

const folder = new URL("../../data/kernels/", import.meta.url);
const files = readdirSync(folder);

/** What `examples/tensor/build.sh` has made of a source, `sm_80.O3` and so on; those of -G last. */
export const buildsOf = (source: string): string[] =>
  files
    .filter((file) => file.startsWith(`${source}.`) && /\.ptx(?:\.gz)?$/.test(file))
    .map((file) => file.slice(source.length + 1).replace(/\.ptx(?:\.gz)?$/, ""))
    .sort((a, b) => Number(a.endsWith(".G")) - Number(b.endsWith(".G")));

/** A file of `tests/data/kernels`, unpacked if it is there with `.gz`. */
function textOf(file: string): string {
  const packed = files.includes(`${file}.gz`);
  const bytes = readFileSync(new URL(packed ? `${file}.gz` : file, folder));
  return (packed ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** The kernels of a build. */
export const kernelsOf = (source: string, build: string): string[] =>
  Array.from(textOf(`${source}.${build}.ptx`).matchAll(/^\.visible \.entry (\w+)\(/gm), ([, name]) => name!);

/** When asynchronous operations take place. */
export type Setting = NonNullable<LaunchOptions["async"]>;

/** A device with one module, whose launches run in one setting. */
export class Gpu {
  readonly device = new Device();
  readonly module: Module;
  /** The target's number: 90 for sm_90a. */
  readonly sm: number;
  /** Compiled by -G: many more instructions. */
  readonly debug: boolean;
  #setting: Setting = { when: "late" };

  constructor(source: string, build: string) {
    const text = textOf(`${source}.${build}.ptx`);
    this.module = must(this.device.module({ name: `${source}.${build}.ptx`, text }));
    this.debug = build.endsWith(".G");
    this.sm = Number.parseInt(build.slice("sm_".length), 10);
  }

  set setting(setting: Setting) {
    this.#setting = setting;
  }

  /** Device memory with these contents, or that many zero bytes. */
  buffer(contents: number | ArrayBufferView): Buffer {
    return this.device.buffer(typeof contents === "number" ? new Uint8Array(contents) : contents);
  }

  /** Runs a kernel, which must end by itself and without a finding; notes are allowed. */
  launch(kernel: string, options: LaunchOptions): Launch {
    const launch = must(must(this.module.kernel(kernel)).launch({ ...options, async: this.#setting }));
    const { stop, findings } = launch;
    const faults = "diagnostic" in stop ? [stop.diagnostic] : [];
    const messages = [...faults, ...findings.filter(({ severity }) => severity !== "note")];
    const told = messages.map(({ code, message }) => `${code} ${message}`);
    expect([stop.reason, ...told].join("\n")).toBe("exit");
    return launch;
  }
}

/** A check of one kernel; it runs for every build and setting. */
export type Check = (gpu: Gpu) => void;
/** The checks of one source, by kernel. */
export type Checks = Readonly<Record<string, Check>>;
