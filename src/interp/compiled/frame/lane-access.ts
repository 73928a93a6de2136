import type { LaneAccessInstruction } from "../../../wasm/instructions.ts";

/** Instructions that load or store one lane of a vector, by its bits. */
export const loadLane: Readonly<Record<8 | 16 | 32 | 64, LaneAccessInstruction>> = {
  8: "v128.load8_lane",
  16: "v128.load16_lane",
  32: "v128.load32_lane",
  64: "v128.load64_lane",
};
export const storeLane: Readonly<Record<8 | 16 | 32 | 64, LaneAccessInstruction>> = {
  8: "v128.store8_lane",
  16: "v128.store16_lane",
  32: "v128.store32_lane",
  64: "v128.store64_lane",
};
