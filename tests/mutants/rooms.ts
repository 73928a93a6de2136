/** Where a room's sources are, and the tests that have to see a mistake in them; folders, or files. */
export interface Room {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const conformance = (...names: string[]): string[] => names.map((name) => `tests/conformance/${name}.test.ts`);
const cli = (...names: string[]): string[] => names.map((name) => `tests/unit/cli/${name}.test.ts`);

/** What a mutant that is not seen costs is a run of all tests that come to its place: those nearest to the room alone are asked. */
export const rooms: Readonly<Record<string, Room>> = {
  "interp/compiled": {
    sources: ["src/interp/compiled"],
    tests: [
      "tests/unit/interp/compiled",
      "tests/unit/interp/worker-pool/handed-over.test.ts",
      "tests/unit/host/kept-code.test.ts",
      ...conformance("compiled"),
      "tests/properties/executors.test.ts",
    ],
  },
  "interp/worker-pool": { sources: ["src/interp/worker-pool"], tests: ["tests/unit/interp/worker-pool"] },
  "numeric/vector": { sources: ["src/numeric/vector"], tests: ["tests/unit/numeric/vector"] },
  "numeric/tensor": {
    sources: ["src/numeric/tensor"],
    tests: [
      "tests/unit/numeric/tensor",
      "tests/unit/present/working-tensor.test.ts",
      "tests/golden/tensor-cores.test.ts",
      ...conformance("tensor"),
    ],
  },
  "interp/async": {
    sources: ["src/interp/async"],
    tests: [
      "tests/unit/interp/async",
      "tests/unit/host/transactions.test.ts",
      "tests/unit/host/tensor-copy.test.ts",
      "tests/unit/host/cluster-copy.test.ts",
      ...conformance("asynchrony", "transfers", "synchronization", "wgmma-findings"),
    ],
  },
  "memory-model": {
    sources: ["packages/memory-model/model"],
    tests: ["packages/memory-model/tests/model", "packages/memory-model/tests/litmus"],
  },
  "interp/weak": { sources: ["src/interp/weak"], tests: ["tests/unit/interp/weak", ...cli("weak")] },
  launch: {
    sources: ["src/launch"],
    tests: [
      "tests/unit/launch",
      ...cli(
        "dump-view",
        "textures",
        "run",
        "tensor-dump",
        "npy",
        "value",
        "names",
        "faults",
        "original",
        "weak",
        "visa-run",
      ),
    ],
  },
  dap: { sources: ["packages/debugger/dap", "src/cli/dap"], tests: ["packages/debugger/tests/dap"] },
  native: {
    sources: ["native"],
    tests: ["clients", "driver", "runtime", "exec"].map((name) => `tests/unit/clients/${name}.test.ts`),
  },
  lsp: { sources: ["packages/lsp/src", "src/cli/lsp"], tests: ["packages/lsp/tests"] },
};
