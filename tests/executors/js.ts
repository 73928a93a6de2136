/** For PTXRUN_EXECUTOR=js. */
export { javascript as standard } from "../../src/interp/javascript/executor.ts";
