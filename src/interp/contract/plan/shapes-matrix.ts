import { matrixText } from "../../../numeric/operation/matrix.ts";
import type { MatrixPlan } from "./plan-matrix.ts";
import type { ShapeFacts } from "./shape-facts.ts";
import { collective } from "./shape-kinds.ts";

/** Shapes of matrix instructions. */
export const matrixShapes = {
  transpose: {
    ...collective,
    reach: "registers",
    writes: 1,
    says: "d = the 8x8 matrix a of 16-bit elements, transposed",
  },
  multiply: { ...collective, reach: "registers", writes: 1, says: ({ op }) => matrixText(op) },
} as const satisfies { readonly [S in MatrixPlan["shape"]]: ShapeFacts<Extract<MatrixPlan, { readonly shape: S }>> };
