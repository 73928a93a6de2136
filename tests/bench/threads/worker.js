// A worker of `threads.js`: runs blocks, and notes after each round how much processor time its thread has had.
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { poolMember } from "../../../dist/index.js";

const { started, log } = workerData;
/** Nanoseconds. */
const used = () => Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]);

const member = poolMember();
// What the thread's start took is not a round's.
let at = 1;
log[at] = used();
log[0] = at;
parentPort.on("message", (message) => {
  member.receive(message);
  if (message.kind !== "range") return;
  at += 1;
  log[at] = used();
  log[0] = at;
});
Atomics.add(started, 0, 1);
