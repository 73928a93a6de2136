import { Connection } from "./connection.ts";
import { SOCKET } from "./protocol.ts";
import { serve } from "./serve.ts";

/** The process that runs kernels for a client's process, which has started it with the descriptors of `protocol.ts`. */
export function work(): void {
  const parent = process.ppid;
  serve(
    new Connection(SOCKET),
    () => performance.now(),
    () => process.ppid !== parent,
    process.env,
  );
}
