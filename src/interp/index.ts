export type { Extent } from "./extent.ts";
export type { LaunchOptions } from "./launch.ts";
export { type AllocationRequest, Memory } from "./memory.ts";
export type * from "./plan.ts";
export type * from "./program.ts";
export { createSession } from "./running.ts";
export type * from "./session.ts";
export { addressIn } from "./window.ts";
