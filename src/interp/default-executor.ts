/** What executes programs unless a launch says otherwise. The tests exchange this module to run under one executor alone. */
export { tiered as standard } from "./compiled/executor.ts";
