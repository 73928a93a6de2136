/** Where memory lies (PTX ISA 5.1). `generic` is decided by the address at run time. */
export type Space = "global" | "shared" | "local" | "const" | "param" | "generic";

/** What tools read and write: tensor memory too, by its own addresses (9.7.17.1), the lane above the column. */
export type HostSpace = Space | "tensor";

/** A value as memory holds it: `bits` wide, extended by its sign (or by zeros) into a wider register. */
export interface Cell {
  readonly bits: 8 | 16 | 32 | 64 | 128;
  readonly signed: boolean;
}
