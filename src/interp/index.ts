export type { Dim3 } from "./contract/dim3.ts";
export type * from "./contract/plan.ts";
export type * from "./contract/program.ts";
export type * from "./contract/session.ts";
export { addressIn } from "./contract/window.ts";
export type { SessionOptions } from "./machine/launch.ts";
export { createSession } from "./machine/running.ts";
export { type AllocationRequest, Memory } from "./memory/memory.ts";
