/** Where memory lies (PTX ISA 5.1). `generic` is decided by the address at run time. */
export type Space = "global" | "shared" | "local" | "const" | "param" | "generic";

/** What tools read and write: tensor memory too, by its own addresses (9.7.17.1), the lane above the column. */
export type HostSpace = Space | "tensor";

/** A value as memory holds it: `bits` wide, extended by its sign (or by zeros) into a wider register. */
export interface Cell {
  readonly bits: 8 | 16 | 32 | 64 | 128;
  readonly signed: boolean;
}

/** What an access promises about others (PTX ISA 8.4), and to whom (8.5). */
export type MemoryOrder = "weak" | "volatile" | "relaxed" | "acquire" | "release" | "acq_rel";

export type MemoryScope = "cta" | "cluster" | "gpu" | "sys";

/** A fence between what is before it and what is after it, as threads in its scope see them (PTX ISA 9.7.13.5). */
export interface PlannedFence {
  readonly sem: "acquire" | "release" | "acq_rel" | "sc";
  readonly scope: MemoryScope;
}

/** What a proxy fence brings in order with the generic proxy; `alias`: other virtual addresses of the same bytes (8.6). */
export type FencedProxy = "alias" | "async" | "tensormap";
