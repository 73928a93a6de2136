import { Device, type LaunchOptions, must } from "../../src/index.ts";
import type { Stop } from "../../src/interp/contract/stop.ts";
import { newestVersion, showVersion } from "../../src/resolve/module/header/target.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";

/** What a kernel left in its output, and how it ended. */
export interface Ran {
  readonly words: Uint32Array;
  readonly stop: Stop;
  /** Codes of the findings. */
  readonly findings: readonly string[];
  readonly diagnostic: Diagnostic | undefined;
  /** Findings that are no notes. */
  readonly errors: readonly Diagnostic[];
}

export interface Around {
  readonly target?: string;
  readonly version?: string;
  /** Declarations before the kernel. */
  readonly module?: string;
  /** Words that `in` points at. */
  readonly given?: Uint32Array;
  readonly launch?: Omit<LaunchOptions, "args">;
}

/**
 * Runs a kernel with the parameters `out` (a buffer of `words` words, zeros) and `in`. `%me`, `%lane` and `%at` hold the
 * thread's index in its block, its lane and the address of its word of `out`; the body has %r, %rd, %p, %q of its own.
 */
export function runKernel(body: string, words: number, around: Around = {}): Ran {
  const {
    target = "sm_100a",
    version = showVersion(newestVersion),
    module = "",
    given = new Uint32Array(1),
    launch = {},
  } = around;
  const text = `.version ${version}
.target ${target}
.address_size 64
${module}
.visible .entry k(.param .u64 out, .param .u64 in) {
  .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .pred %p<20>;
  .reg .b32 %me, %lane, %n, %block; .reg .b64 %out, %in, %at, %wide;
  ld.param.u64 %out, [out]; ld.param.u64 %in, [in];
  mov.u32 %me, %tid.x; and.b32 %lane, %me, 31;
  mov.u32 %block, %ctaid.x; mov.u32 %n, %ntid.x; mad.lo.u32 %n, %block, %n, %me;
  mul.wide.u32 %wide, %n, 4; add.u64 %at, %out, %wide;
${body}
}`;
  const device = new Device();
  const loaded = must(device.module({ name: "kernel.ptx", text }));
  const out = device.buffer(new Uint32Array(words));
  const session = must(must(loaded.kernel("k")).launch({ ...launch, args: [out, device.buffer(given)] }));
  const bytes = out.read();
  return {
    words: new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)),
    stop: session.stop,
    findings: session.findings.map(({ code }) => code),
    errors: session.findings.filter(({ severity }) => severity === "error"),
    diagnostic: session.stop.reason === "trap" ? session.stop.diagnostic : undefined,
  };
}

/** The words of a kernel that ran to its end without a finding. */
export function left(body: string, words: number, around: Around = {}): number[] {
  const { words: got, stop, findings, diagnostic } = runKernel(body, words, around);
  if (stop.reason !== "exit" || findings.length > 0)
    throw new Error(`${stop.reason}: ${diagnostic?.message ?? findings.join()}`);
  return [...got];
}
