import { isOwn, type StateSpace, spaceNames } from "./space.ts";

/**
 * The layout of the 64-bit address space: the high word selects the window, the low word is an offset. A pointer that
 * a program truncates to 32 bits therefore lies in no window and is caught.
 *
 * The windows lie where a process has neither programs, libraries, heap nor sanitizer memory: a client's
 * pointers (`ptx_run`, managed memory) are never taken for the device's, and a managed variable can have one address on
 * both sides (native/cuda/lock.c). They stay below 2^47, since programs keep marks in the bits above.
 *
 * Global and constant memory share the offsets of one buffer. Shared, local and parameter addresses are offsets from
 * 0 in their state space; generic addresses reach them through their windows (PTX ISA 6.4.1.1).
 */
export const windows = {
  global: 0x4f00,
  shared: 0x4f01,
  local: 0x4f02,
  param: 0x4f03,
  const: 0x4f04,
  code: 0x4f05,
  handle: 0x4f06,
  multimem: 0x4f07,
} as const;

/** A part of the address space. */
export type Window = keyof typeof windows;

/** The generic address of an offset in a window. */
export const addressIn = (window: Window, offset: number): bigint => (BigInt(windows[window]) << 32n) | BigInt(offset);

/** The high word that cvta adds or removes: an address of the global or constant space is generic already. */
export const genericHigh = (space: StateSpace): number => (isOwn(space) ? windows[space] : 0);

const byHigh = new Map(spaceNames.map((space) => [windows[space] as number, space]));

/** The state space of generic addresses with this high word. */
export const spaceAt = (high: number): StateSpace | undefined => byHigh.get(high);

/** The state space of a generic address. */
export const spaceOf = (address: bigint): StateSpace | undefined => spaceAt(Number(address >> 32n));

/** The value of a function pointer: nothing can be read there. `index` distinguishes the functions of a module. */
export const functionAddress = (index: number): bigint => addressIn("code", 16 * (index + 1));
