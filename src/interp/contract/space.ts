import type { IntegerWidth } from "../../numeric/operation/type.ts";

/** The properties of a state space that can hold variables (PTX ISA 5.1). */
interface SpaceFacts {
  /** The name of its memory in messages. */
  readonly memory: string;
  /** Each launch, block or thread has private memory there; its addresses are offsets until cvta makes them generic. */
  readonly own?: "launch" | "block" | "thread";
  /** A register of 32 bits may hold an address, since none lies beyond 4 GiB (6.4.1). */
  readonly near: boolean;
  /** Variables may stand outside of functions; those in `.local` did before PTX 3.0. */
  readonly atModule: boolean;
  /** Variables may have initial values (5.4.4). */
  readonly initialised: boolean;
  /** Instructions without a state space may name its variables; elsewhere only cvta makes such an address. */
  readonly generic: boolean;
  /** `.ptr` of a kernel's parameter may name it (5.4.7). */
  readonly pointee: boolean;
}

/** The state spaces, in the order in which they are listed. */
export const stateSpaces = {
  global: { memory: "global memory", near: false, atModule: true, initialised: true, generic: true, pointee: true },
  shared: {
    memory: "shared memory",
    own: "block",
    near: true,
    atModule: true,
    initialised: false,
    generic: true,
    pointee: true,
  },
  local: {
    memory: "local memory",
    own: "thread",
    near: true,
    atModule: false,
    initialised: false,
    generic: true,
    pointee: true,
  },
  const: { memory: "constant memory", near: true, atModule: true, initialised: true, generic: false, pointee: true },
  param: {
    memory: "the parameters",
    own: "launch",
    near: true,
    atModule: false,
    initialised: false,
    generic: false,
    pointee: false,
  },
} as const satisfies Readonly<Record<string, SpaceFacts>>;

export type StateSpace = keyof typeof stateSpaces;

/** The state space of an access (PTX ISA 5.1). For `generic` the address decides at run time. */
export type Space = StateSpace | "generic";

/** The spaces that tools access: also tensor memory, by its addresses, with the lane above the column. */
export type HostSpace = Space | "tensor";

export const spaceNames = Object.keys(stateSpaces) as readonly StateSpace[];

/** A space in which each block, thread or launch has private memory. */
export type OwnSpace = {
  [Space in StateSpace]: (typeof stateSpaces)[Space] extends { readonly own: string } ? Space : never;
}[StateSpace];

export const isOwn = (space: StateSpace): space is OwnSpace => factsOf(space).own !== undefined;

/** The properties of a state space. */
export const factsOf = (space: StateSpace): SpaceFacts => stateSpaces[space];

export const isStateSpace = (word: string): word is StateSpace => Object.hasOwn(stateSpaces, word);

/** A value as memory holds it: `bits` wide, extended by its sign (or by zeros) into a wider register. */
export interface Cell {
  readonly bits: IntegerWidth | 128;
  readonly signed: boolean;
}
