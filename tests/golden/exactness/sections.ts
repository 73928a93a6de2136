/** What holds a section, by its name, besides campaigns: a test, and what it compares with. Paths begin at tests/. */
export const evidence: Readonly<Record<string, readonly (readonly [file: string, against: string])[]>> = {
  integer: [
    ["conformance/oracles.test.ts", "integers as the manual's pseudo-code has them, written once more on bigints"],
  ],
  "extended-precision": [
    [
      "conformance/oracles.test.ts",
      "integers and their carries as the manual's pseudo-code has them, written once more on bigints",
    ],
    ["conformance/golden-programs.test.ts", "the golden set of an oracle in rationals, through whole programs"],
  ],
  "floating-point": [
    [
      "conformance/rounding.test.ts",
      "f32 and f64 in every rounding: the exact result lies in the interval that rounds to what came out",
    ],
    ["conformance/approximations.test.ts", ".approx of f32: the manual's bounds, and true values rounded once"],
  ],
  "half-precision": [
    [
      "conformance/half-exhaustive.test.ts",
      "every spelling: all values of one operand, pairs and triples at the ends of binades, against a second formulation",
    ],
    [
      "conformance/golden-programs.test.ts",
      "the golden set of an oracle in rationals that agrees with Berkeley TestFloat",
    ],
  ],
  "mixed-precision": [
    [
      "conformance/golden-programs.test.ts",
      "the golden set of an oracle in rationals that agrees with Berkeley TestFloat",
    ],
    ["conformance/mixed.test.ts", "every spelling of pairs against exact fractions, rounded once"],
  ],
  "alternate-floating-point": [["conformance/mixed.test.ts", "every spelling against exact fractions, rounded once"]],
  "comparison-selection": [["conformance/oracles.test.ts", "comparisons on bigints and on decoded floats"]],
  "logic-shift": [
    ["conformance/oracles.test.ts", "integers on bigints"],
    ["conformance/lop3.test.ts", "all 256 tables of lop3"],
  ],
  "data-movement": [
    [
      "conformance/conversions.test.ts",
      "every spelling of cvt against an oracle by numbers; all values of sources of 16 and 8 bits",
    ],
    ["conformance/transfers.test.ts", "loads and stores of every type, vector and register that ptxas takes"],
    ["conformance/synchronization.test.ts", "shfl against the manual's pseudo-code"],
  ],
  "async-copy": [
    [
      "conformance/kernels.test.ts",
      "kernels of nvcc against closed forms, with copies that end late, early and at random",
    ],
  ],
  "bulk-copy": [
    ["conformance/verdicts.test.ts", "which lines ptxas takes"],
    [
      "unit/host/newer-copies.test.ts",
      "copies to every replica of a multimem address, and maps with overridden fields, as the manual has them",
    ],
    [
      "unit/host/tensor-copy.test.ts",
      "boxes of tensor maps against a second formulation, in every mode, type and swizzle",
    ],
    [
      "conformance/kernels.test.ts",
      "kernels of nvcc against closed forms, with copies that end late, early and at random",
    ],
  ],
  "multimem-tensormap": [
    [
      "unit/host/tensor-map.test.ts",
      "tensormap.replace against maps of the host; multimem on what the blocks of a launch share",
    ],
    ["unit/host/cluster-copy.test.ts", "copies and requests within a cluster, as the manual has them"],
  ],
  fabric: [["unit/resolve/newer-movement.test.ts", "which versions and targets have each line"]],
  "texture-surface": [
    ["unit/texture/filtering.test.ts", "the formulas of the CUDA programming guide, written once more"],
  ],
  "control-flow": [["conformance/control-flow.test.ts", "what each lane must have done, lane by lane"]],
  synchronization: [
    [
      "conformance/atomics.test.ts",
      "every line of atom and red that ptxas takes, against each lane's way through the same updates",
    ],
    [
      "conformance/synchronization.test.ts",
      "vote, match, redux, barriers: the manual's words as functions on all lanes",
    ],
  ],
  mbarrier: [
    [
      "conformance/asynchrony.test.ts",
      "mistakes planted in pipelines are found, and nothing is said of their repaired twins, whenever data move",
    ],
  ],
  matrix: [
    ["conformance/matrix.test.ts", "a model in rationals that agrees with recorded tensor cores, element by element"],
    ["conformance/matrix-exact.test.ts", "every spelling on whole numbers, whose sums are exact"],
    ["conformance/tensor.test.ts", "the same model on one dot product, on all targets and types"],
    ["conformance/wgmma.test.ts", "wgmma on whole numbers, with each swizzle"],
  ],
  "tensor-memory": [
    [
      "conformance/tensor-multiply.test.ts",
      "one tcgen05.mma at a time on whole numbers, placed by a second formulation of the layouts",
    ],
    ["conformance/tensor-memory.test.ts", "kernels of nvcc on whole numbers"],
  ],
  video: [["conformance/video.test.ts", "every spelling against the manual's pseudo-code on bigints"]],
};

/** What holds them all. */
export const everywhere: readonly (readonly [file: string, against: string])[] = [
  ["conformance/checks.test.ts", "the worked examples of the table, by both executors"],
  [
    "conformance/verdicts.test.ts",
    "some 20,000 lines that ptxas takes are taken and run, and what it rejects is rejected",
  ],
  ["conformance/compiled.test.ts", "1,009 random programs of nvcc against what g++ made of the same source"],
  ["properties/executors.test.ts", "random programs by both executors: registers, memory, findings, steps"],
];
