import type { Inputs, Project, Thread } from "./client.ts";

/** The first byte of a link: what follows is JSON, compressed by `deflate-raw`. Version 1 had no place. */
const VERSION = 2;

/** Where somebody has left a project. */
export interface Left {
  readonly position: number;
  readonly focus: Thread;
  /** Lines. */
  readonly breakpoints: readonly number[];
}

/** What a link holds. */
export interface Shared extends Project {
  readonly left?: Left;
}

/** Bytes of JSON that a link may hold at most: a small link must not become more than a page can hold. */
const MAX_LINK_BYTES = 2 ** 24;

/** A project and its place as the fragment of a link, without its `#`: base64url of a version and compressed JSON. */
export async function encode({ name, text, inputs, left }: Shared): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify({ name, text, inputs, left }));
  const packed = await all(new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw")), MAX_LINK_BYTES);
  return toBase64(new Uint8Array([VERSION, ...packed]));
}

/**
 * The project of a fragment, with or without its `#`; undefined for an empty one. Throws an Error whose message can be shown for
 * one that is broken, or made by another version.
 */
export async function decode(fragment: string): Promise<Shared | undefined> {
  const text = fragment.replace(/^#/, "");
  if (text === "") return undefined;
  const broken = new Error("the link is broken: part of it is missing, or was changed on its way");
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = fromBase64(text);
  } catch {
    throw broken;
  }
  const [version = 0] = bytes;
  if (version < 1 || version > VERSION) {
    const newer = version > VERSION && version < 32;
    throw newer ? new Error("the link was made by a newer version of this page") : broken;
  }
  let value: unknown;
  try {
    const packed = new Blob([bytes.slice(1)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await all(packed, MAX_LINK_BYTES)));
  } catch {
    throw broken;
  }
  const project = projectOf(value);
  if (project === undefined) throw broken;
  return project;
}

/** What is a project in it; a field that is missing is as if it was left alone. */
function projectOf(value: unknown): Shared | undefined {
  const { name, text, inputs, left: place } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== "string" || typeof text !== "string") return undefined;
  const left = leftOf((place ?? {}) as Record<string, unknown>);
  return { name, text, inputs: inputsOf((inputs ?? {}) as Record<string, unknown>), ...(left && { left }) };
}

function leftOf({ position, focus, breakpoints }: Record<string, unknown>): Left | undefined {
  const whole = (each: unknown): each is number => Number.isSafeInteger(each) && (each as number) >= 0;
  const { block, warp, lane } = (focus ?? {}) as Record<string, unknown>;
  if (!whole(position) || !whole(block) || !whole(warp) || !whole(lane)) return undefined;
  return {
    position,
    focus: { block, warp, lane },
    breakpoints: Array.isArray(breakpoints) ? breakpoints.filter(whole) : [],
  };
}

function inputsOf({ entry, grid, block, smem, values, race }: Record<string, unknown>): Inputs {
  const word = (each: unknown): string => (typeof each === "string" ? each : "");
  const pairs = Object.entries(typeof values === "object" && values !== null ? values : {});
  return {
    entry: word(entry),
    grid: word(grid),
    block: word(block),
    ...(word(smem) !== "" && { smem: word(smem) }),
    race: race === true,
    values: Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string")),
  };
}

/** All bytes of a stream; throws when there are more than `most`. */
async function all(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value);
    length += piece.value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError(`more than ${most} bytes`);
    }
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
