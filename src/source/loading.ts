import { type BodyEnd, countTokens } from "./count-tokens.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { Source } from "./source.ts";

/** A deadline: a clock in milliseconds, its end, and the time that it allowed. */
export interface Deadline {
  readonly now: () => number;
  readonly end: number;
  readonly allowed: number;
}

/** Where a diagnostic points. */
type Place = Pick<Diagnostic, "source" | "span">;

/** The limits on loading a text. */
export interface LoadingLimits {
  /** Bytes of memory, as estimated from the number of tokens; earlier loads from the same source count. */
  readonly bytes?: number;
  readonly time?: Deadline;
}

/** Thrown within loading when a limit is reached; who asked for what the text or the file says catches it. */
export class LoadingStopped extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/**
 * Bytes for one token: the token itself (90), the syntax tree (150), the program (200), each measured on modules of
 * 100,000 instructions, with what the engine's collector leaves lying.
 */
export const BYTES_PER_TOKEN = 400;

/** A user who limits the device to a few pages does not mean that no program fits. */
const MIN_LOADING_BYTES = 4 * 2 ** 20;

/** The limit on loading for a device with this much memory. */
export const loadingBytes = (deviceMemory: number): number => Math.max(deviceMemory, MIN_LOADING_BYTES);

const limited = new WeakMap<Source, LoadingLimits & { used: number }>();

/** Limits the resources for loading a source from now on; a limit that is not given stays unchanged. */
export function limitLoading(source: Source, limits: LoadingLimits): void {
  // The text itself, and a copy without foreign characters.
  limited.set(source, { used: 2 * source.text.length, ...limited.get(source), ...limits });
}

/** Puts the limits of a source on one that was made from it, and counts what was used of them. */
export function limitAlike(made: Source, source: Source): void {
  const limits = limited.get(source);
  if (limits !== undefined) limited.set(made, { ...limits, used: limits.used + 2 * made.text.length });
}

/** Bytes used by loads from a source, as its limit counts them. */
export const loadedBytes = (source: Source): number => limited.get(source)?.used ?? 2 * source.text.length;

/** The bytes that loading a source may take. */
export const allowedBytes = (source: Source): number => limited.get(source)?.bytes ?? Number.POSITIVE_INFINITY;

/** How many more tokens fit. */
function roomForTokens(source: Source): number {
  const { bytes = Number.POSITIVE_INFINITY, used = 0 } = limited.get(source) ?? {};
  return Math.max(0, Math.floor((bytes - used) / BYTES_PER_TOKEN));
}

/** Notes that tokens were read. */
export function noteTokens(source: Source, count: number): void {
  const known = limited.get(source);
  if (known !== undefined) known.used += count * BYTES_PER_TOKEN;
}

/** Ends loading when the tokens of a text that begins at `base` of the source have no room. */
export function demandRoom(source: Source, text: string, base: number, bodyEnd?: BodyEnd): void {
  const room = roomForTokens(source);
  // No text has more tokens than characters.
  if (text.length <= room) return;
  const { count, end } = countTokens(text, room, bodyEnd);
  if (end !== undefined) stop(source, base + end, count);
}

function stop(source: Source, at: number, count: number): never {
  const { bytes = 0, used = 0 } = limited.get(source) ?? {};
  const needed = used + count * BYTES_PER_TOKEN;
  throw new LoadingStopped({
    code: "PTX6005",
    severity: "error",
    message: `no room to load this and what follows: it takes about ${needed} bytes, and ${bytes} are allowed`,
    source,
    span: { start: at, end: at + 1 },
    help: [{ message: `--max-mem ${Math.ceil(needed / 2 ** 20)}M allows it` }],
  });
}

/** Ends loading when its time is over; `at` is the offset reached. */
export const checkLoadingTime = (source: Source, at: number): void =>
  checkTime(limited.get(source)?.time, { source, span: { start: at, end: at + 1 } });

/** Ends loading when this time is over; `place` is what asks for so much. */
export function checkTime(time: Deadline | undefined, place: Place): void {
  if (time !== undefined && time.now() > time.end) throw new LoadingStopped(late(time, place));
}

/** Says that loading took too long. */
export const late = (
  { allowed }: Deadline,
  { source, span }: Place = { source: new Source("", ""), span: { start: 0, end: 0 } },
): Diagnostic => ({
  code: "PTX6101",
  severity: "error",
  message: `still loading after ${allowed / 1000} s`,
  source,
  span,
  help: [{ message: "allow more time with --timeout" }],
});
