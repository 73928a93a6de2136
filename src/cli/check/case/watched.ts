import { findBuffer } from "../../../launch/dump/dump.ts";
import type { NamedBuffer } from "../../../launch/input/launch-inputs.ts";
import type { Loaded } from "../../../launch/program.ts";
import type { CaseLine } from "../file/directive.ts";

/** The largest buffer, in bytes, that is written as an expectation: people read these lines. */
const MAX_EXPECTED_BYTES = 256;

/** A buffer or a variable, and its contents before the run. */
export interface Watched extends NamedBuffer {
  /** True for a buffer of the case, false for a variable. */
  readonly given: boolean;
  readonly before: Uint8Array;
}

/** The buffers and variables that `?` may be replaced with; none when the case has no `?`. */
export function watch(line: CaseLine, loaded: Loaded, buffers: readonly NamedBuffer[]): readonly Watched[] {
  if (!line.expectations.some(({ text }) => text === "?")) return [];
  const { module } = loaded;
  const variables = (module?.variables ?? []).flatMap((name) => findBuffer(name, { buffers: [] }, loaded) ?? []);
  const all = [
    ...buffers.map((each) => ({ ...each, given: true })),
    ...variables.map((each) => ({ ...each, given: false })),
  ];
  const short = all.filter(({ buffer }) => buffer.bytes > 0 && buffer.bytes <= MAX_EXPECTED_BYTES);
  return short.map((each) => ({ ...each, before: each.buffer.read() }));
}
