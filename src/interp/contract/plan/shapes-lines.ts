import { lowest } from "../lane-mask.ts";
import { type LinesPlan, linesOf, type MatrixLines } from "./plan-lines.ts";
import type { PlannedAccess, ShapeFacts } from "./shape-facts.ts";
import { collective } from "./shape-kinds.ts";

const touched = (how: "load" | "store", address: number, { space, lines }: LinesPlan): readonly PlannedAccess[] => [
  { how, space, address, bytes: lines.bytes, sem: "weak", scope: "gpu", lines, lanes: lowest(linesOf(lines)) },
];

const matricesText = ({ fragment: { rows, columns }, matrices, line }: MatrixLines): string => {
  const size = `${rows}x${columns}`;
  return `${matrices === 1 ? `a ${size} matrix` : `${matrices} matrices of ${size}`}, a ${line} after the other`;
};

/** Shapes that move matrices between memory and registers. */
export const linesShapes = {
  "load lines": {
    ...collective,
    reach: "block",
    writes: 1,
    touches: (plan) => touched("load", 1, plan),
    says: ({ lines, space }) => `reads ${matricesText(lines)}, of ${space} memory`,
  },
  "store lines": {
    ...collective,
    reach: "block",
    writes: 0,
    touches: (plan) => touched("store", 0, plan),
    says: ({ lines, space }) => `writes ${matricesText(lines)}, to ${space} memory`,
  },
} as const satisfies { readonly [S in LinesPlan["shape"]]: ShapeFacts<Extract<LinesPlan, { readonly shape: S }>> };
