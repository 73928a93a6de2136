import type { Argument, LaunchOptions } from "../../../src/host/index.ts";
import { bitsOf, formatOf } from "../../../src/host/memory/element.ts";
import type { Parameter } from "../../../src/interp/contract/program.ts";
import type { Stop } from "../../../src/interp/contract/stop.ts";
import { unpack } from "../../../src/numeric/exact/exact.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { contentsOf, type Fresh, type GuessedLaunch } from "./infer.ts";

/** How one run differs from others of the same launch. */
export interface Way {
  /** Of the data in buffers. */
  readonly seed: number;
  readonly schedule?: number;
  readonly async?: "early" | "late" | "random";
}

/** A run with every check. */
export interface Checked {
  readonly launch: GuessedLaunch;
  readonly way: Way;
  readonly stop: Stop;
  /** The fault that ended it, or what was found. */
  readonly problems: readonly Diagnostic[];
  /** Contents of the buffers afterwards. */
  readonly outputs: ReadonlyMap<Parameter, Uint8Array>;
}

/** Warp instructions of a run: an endless loop is found soon. */
const MAX_STEPS = 3_000_000;

/** Runs a launch with every check; undefined where the launch itself is refused. */
export function checked(fresh: Fresh, launch: GuessedLaunch, way: Way): Checked | undefined {
  const { device, kernel } = fresh();
  const { grid, block, cooperative, smem, values, size } = launch;
  const buffers = new Map<Parameter, ReturnType<typeof device.buffer>>();
  const args = kernel.program.parameters.map((parameter): Argument => {
    const value = values.get(parameter);
    if (value?.kind !== "buffer") return value?.argument ?? { bits: 0n };
    const known = value.reads || value.atomics;
    const contents = known ? contentsOf(value, size, way.seed) : contentsOf(value, size, 0).length;
    const buffer = device.buffer(contents, { name: parameter.name });
    buffers.set(parameter, buffer);
    return buffer;
  });
  const { schedule, async: when } = way;
  const options: LaunchOptions = {
    ...{ grid, block, cooperative, dynamicShared: smem, args },
    sanitize: { mem: true, init: true, sync: true, race: true },
    maxSteps: MAX_STEPS,
    ...(schedule === undefined ? {} : { schedule: { seed: schedule } }),
    ...(when === undefined ? {} : { async: when === "random" ? { when, seed: schedule ?? 0 } : { when } }),
  };
  const { value: ran, diagnostics } = kernel.launch(options);
  if (ran === undefined) return undefined;
  const { stop, findings } = ran;
  const faults = stop.reason === "trap" ? [stop.diagnostic] : [];
  const problems = [...faults, ...findings.filter(({ severity }) => severity === "error"), ...diagnostics];
  const outputs = new Map([...buffers].map(([parameter, buffer]) => [parameter, buffer.read()]));
  ran.session.close();
  return { launch, way, stop, problems, outputs };
}

/** The first element of a buffer of floats that is NaN or infinite; undefined where there is none. */
export function firstStrange({
  launch,
  outputs,
}: Checked): { parameter: Parameter; index: number; what: string } | undefined {
  for (const [parameter, bytes] of outputs) {
    const value = launch.values.get(parameter);
    if (value?.kind !== "buffer" || !value.writes) continue;
    const format = formatOf(value.type);
    if (format === undefined) continue;
    const index = bitsOf(bytes, value.type).findIndex((bits) => unpack(format, bits).kind !== "finite");
    if (index >= 0) return { parameter, index, what: unpack(format, bitsOf(bytes, value.type)[index] ?? 0n).kind };
  }
  return undefined;
}
