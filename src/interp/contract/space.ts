import type { IntegerWidth } from "../../numeric/operation/type.ts";

/** What is so of a state space in which variables lie (PTX ISA 5.1). */
interface SpaceFacts {
  /** What messages call its memory. */
  readonly memory: string;
  /** Who has memory of its own there. An address is then an offset, until cvta makes it generic; others are generic already. */
  readonly own?: "launch" | "block" | "thread";
  /** A register of 32 bits may hold an address, since none lies beyond 4 GiB (6.4.1). */
  readonly near: boolean;
  /** Variables may stand outside of functions; those in `.local` did before PTX 3.0. */
  readonly atModule: boolean;
  /** Variables may have initial values (5.4.4). */
  readonly initialised: boolean;
  /** Instructions without a state space may name its variables; elsewhere only cvta makes such an address. */
  readonly generic: boolean;
  /** `.ptr` of a kernel's parameter may say that it points there (5.4.7). */
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

/** Where memory lies (PTX ISA 5.1). `generic` is decided by the address at run time. */
export type Space = StateSpace | "generic";

/** What tools read and write: tensor memory too, by its own addresses, the lane above the column. */
export type HostSpace = Space | "tensor";

export const spaceNames = Object.keys(stateSpaces) as readonly StateSpace[];

/** A space in which a block, a thread or a launch has memory of its own. */
export type OwnSpace = {
  [Space in StateSpace]: (typeof stateSpaces)[Space] extends { readonly own: string } ? Space : never;
}[StateSpace];

export const isOwn = (space: StateSpace): space is OwnSpace => factsOf(space).own !== undefined;

/** What is so of a state space. */
export const factsOf = (space: StateSpace): SpaceFacts => stateSpaces[space];

export const isStateSpace = (word: string): word is StateSpace => Object.hasOwn(stateSpaces, word);

/** A value as memory holds it: `bits` wide, extended by its sign (or by zeros) into a wider register. */
export interface Cell {
  readonly bits: IntegerWidth | 128;
  readonly signed: boolean;
}
