import { statSync } from "node:fs";

/** The state of a file as one string that differs after each change; "none" where there is no file. */
export function stampOf(path: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    return "none";
  }
}
