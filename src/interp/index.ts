export type { Extent } from "./contract/extent.ts";
export type * from "./contract/plan.ts";
export type * from "./contract/program.ts";
export type * from "./contract/session.ts";
export { addressIn } from "./contract/window.ts";
export type { LaunchOptions } from "./machine/launch.ts";
export { createSession } from "./machine/running.ts";
export { type AllocationRequest, Memory } from "./memory/memory.ts";
