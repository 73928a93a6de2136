import { pages } from "./page.ts";

/** PTX13xx: operands of an instruction. */
export const operand = pages({});
