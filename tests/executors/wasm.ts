/** For PTXRUN_EXECUTOR=wasm. */
export { compiled as standard } from "../../src/interp/compiled/executor.ts";
