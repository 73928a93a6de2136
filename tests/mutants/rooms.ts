/** Where a room's sources are, and the tests that have to see a mistake in them; folders, or files. */
export interface Room {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const conformance = (...names: string[]): string[] => names.map((name) => `tests/conformance/${name}.test.ts`);
const cli = (...names: string[]): string[] => names.map((name) => `tests/unit/cli/${name}.test.ts`);

export const rooms: Readonly<Record<string, Room>> = {
  "interp/compiled": {
    sources: ["src/interp/compiled"],
    tests: [
      "tests/unit/interp",
      "tests/unit/host/kept-code.test.ts",
      "tests/properties/executors.test.ts",
      ...conformance("compiled", "half-executors", "narrow-addresses", "calls", "atomics", "control-flow", "checks"),
    ],
  },
  "interp/crew": {
    sources: ["src/interp/crew"],
    tests: ["tests/unit/interp/crew", "tests/unit/host/launch.test.ts", ...cli("teamwork")],
  },
  "numeric/vector": {
    sources: ["src/numeric/vector"],
    tests: ["tests/unit/numeric/vector", "tests/unit/interp/compiled", ...conformance("compiled")],
  },
  "numeric/tensor": {
    sources: ["src/numeric/tensor"],
    tests: [
      "tests/unit/numeric/tensor",
      "tests/unit/present/working-tensor.test.ts",
      "tests/unit/present/working-multiply.test.ts",
      "tests/golden/tensor-cores.test.ts",
      ...conformance("tensor", "tensor-multiply", "matrix", "matrix-exact", "wgmma"),
    ],
  },
  "interp/async": {
    sources: ["src/interp/async"],
    tests: [
      "tests/unit/interp/async",
      "tests/unit/host/transactions.test.ts",
      "tests/unit/host/tensor-copy.test.ts",
      "tests/unit/host/cluster-copy.test.ts",
      ...conformance("asynchrony", "transfers", "synchronization", "wgmma-findings", "wgmma", "tensor-memory"),
    ],
  },
  "memory-model": {
    sources: ["src/memory-model"],
    tests: [
      "tests/unit/memory-model",
      "tests/unit/litmus",
      "tests/unit/interp/weak",
      "tests/golden/litmus.test.ts",
      ...cli("litmus", "weak"),
    ],
  },
  "interp/weak": {
    sources: ["src/interp/weak"],
    tests: ["tests/unit/interp/weak", ...cli("weak")],
  },
  launch: {
    sources: ["src/launch"],
    tests: [
      "tests/unit/host/launch.test.ts",
      "tests/unit/host/tensor-map.test.ts",
      "tests/unit/cli/check",
      "tests/unit/cli/repl",
      ...cli("dump-view", "textures", "run", "tensor-dump", "npy", "usage", "value", "names", "faults", "seeds"),
      ...cli("original", "reading", "progress", "options-effect", "stats", "weak", "trace", "glob"),
    ],
  },
  dap: { sources: ["src/dap", "src/cli/dap"], tests: ["tests/unit/dap"] },
  lsp: { sources: ["src/lsp", "src/cli/lsp"], tests: ["tests/unit/lsp", "tests/unit/editors"] },
};
