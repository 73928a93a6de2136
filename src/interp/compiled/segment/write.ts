import type { Value } from "../../../numeric/vector/vector.ts";
import type { Operand } from "../../contract/operand.ts";

/** What an instruction writes: an operand gets `width` bits, extended where the register is wider. */
export interface Write {
  readonly to: Operand | undefined;
  readonly value: Value;
  readonly width: number;
  readonly extend?: "sign" | "zero" | undefined;
  /** CC.CF gets the value, a mask. */
  readonly carry?: true;
}
