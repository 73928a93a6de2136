/** The versions of the manual that moved chapters. The newest is the one whose numbers ptxrun shows. */
type Version = "9.0" | "9.3" | "9.4";
export const numbering: Version = "9.4";

/** A chapter of 9.7 of NVIDIA's manual. */
interface Chapter {
  readonly title: string;
  /** On NVIDIA's page. */
  readonly anchor: string;
  /** The common prefix of its instructions' anchors. */
  readonly prefix: string;
  /** 9.7.n in each version. */
  readonly numbers: Readonly<Record<Version, number | undefined>>;
}

const chapter = (
  title: string,
  [v90, v93, v94]: readonly (number | undefined)[],
  anchor: string,
  prefix = anchor,
): Chapter => ({ title, anchor, prefix, numbers: { "9.0": v90, "9.3": v93, "9.4": v94 } });

/**
 * A new version of the manual inserts chapters, so a number is right in some versions only, and numbers are only here;
 * all other files cite an instruction or a title. By the names of our pages, in the order of 9.4.
 */
export const chapters = {
  integer: chapter("Integer Arithmetic", [1, 1, 1], "integer-arithmetic-instructions"),
  "extended-precision": chapter(
    "Extended-Precision Integer Arithmetic",
    [2, 2, 2],
    "extended-precision-integer-arithmetic-instructions",
    "extended-precision-arithmetic-instructions",
  ),
  "floating-point": chapter("Floating Point", [3, 3, 3], "floating-point-instructions"),
  "half-precision": chapter("Half Precision Floating Point", [4, 4, 4], "half-precision-floating-point-instructions"),
  "mixed-precision": chapter(
    "Mixed Precision Floating Point",
    [5, 5, 5],
    "mixed-precision-floating-point-instructions",
  ),
  "alternate-floating-point": chapter(
    "Alternate Floating Point",
    [undefined, undefined, 6],
    "alternate-floating-point-instructions",
  ),
  "comparison-selection": chapter("Comparison and Selection", [6, 6, 7], "comparison-and-selection-instructions"),
  "half-comparison": chapter("Half Precision Comparison", [7, 7, 8], "half-precision-comparison-instructions"),
  "logic-shift": chapter("Logic and Shift", [8, 8, 9], "logic-and-shift-instructions"),
  "data-movement": chapter("Data Movement and Conversion", [9, 9, 10], "data-movement-and-conversion-instructions"),
  fabric: chapter("Fabric", [undefined, 10, 11], "fabric-instructions"),
  texture: chapter("Texture", [10, 11, 12], "texture-instructions"),
  surface: chapter("Surface", [11, 12, 13], "surface-instructions"),
  "control-flow": chapter("Control Flow", [12, 13, 14], "control-flow-instructions"),
  synchronization: chapter(
    "Parallel Synchronization and Communication",
    [13, 14, 15],
    "parallel-synchronization-and-communication-instructions",
  ),
  matrix: chapter("Warp Level Matrix Multiply-Accumulate", [14, 15, 16], "warp-level-matrix-instructions"),
  "warpgroup-matrix": chapter(
    "Asynchronous Warpgroup Level Matrix Multiply-Accumulate",
    [15, 16, 17],
    "asynchronous-warpgroup-level-matrix-instructions",
  ),
  "tensor-memory": chapter(
    "TensorCore 5th Generation Family",
    [16, 17, 18],
    "tensorcore-5th-generation-instructions",
    "tcgen05-instructions",
  ),
  stack: chapter("Stack Manipulation", [17, 18, 19], "stack-manipulation-instructions"),
  video: chapter("Video", [18, 19, 20], "video-instructions"),
  miscellaneous: chapter("Miscellaneous", [19, 20, 21], "miscellaneous-instructions"),
};

export type ChapterName = keyof typeof chapters;
