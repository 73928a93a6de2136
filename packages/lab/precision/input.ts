import type { Format } from "../../../src/numeric/format/format.ts";
import type { Shadow } from "./shadow.ts";

/** An operand of one lane: its bits, and its shadow where it has one. */
export interface Input {
  low: number;
  high: number;
  shadow: Shadow | undefined;
  /** Written in the program's text, so that it is no input of it. */
  constant: boolean;
  /** Undefined for what is no float. */
  format: Format | undefined;
}
