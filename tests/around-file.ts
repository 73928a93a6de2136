import { readFileSync } from "node:fs";
import { afterAll, vi } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** CPU seconds that a test file took, with those of processes that it started. */
    cpu?: number;
  }
}

/** Of this process and of its children that have ended; hundredths of a second. Elsewhere than on Linux without children. */
function spent(): number {
  try {
    // After the name in brackets: 14 utime, 15 stime, 16 cutime, 17 cstime, see proc(5).
    const fields = readFileSync("/proc/self/stat", "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

const before = spent();
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures a hook wants
afterAll(({}, { meta }) => {
  meta.cpu = spent() - before;
  // Files share their modules, and so what one has put in another's place.
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
