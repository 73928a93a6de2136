/** What executes programs unless a launch says otherwise. The tests exchange this module to run under the other one. */
export { javascript as standard } from "./javascript/executor.ts";
