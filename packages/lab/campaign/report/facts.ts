import type { JobResult, Merged } from "../merge.ts";

const thousands = (count: number): string => count.toLocaleString("en");

/** `cases 65,536, differ 0`: the counts of a job; counts of 0 without information are left out. */
export const countsText = ({ counts }: JobResult): string =>
  Object.entries(counts)
    .filter(([name, count]) => count > 0 || name === "differ" || name === "failed")
    .map(([name, count]) => `${name} ${thousands(count)}`)
    .join(", ");

export const partsText = ({ job, failed }: JobResult): string =>
  `${thousands(job.parts)} ${job.parts === 1 ? "part" : "parts"}${failed.size === 0 ? "" : `, ${thousands(failed.size)} with findings`}`;

/** Which ptxrun ran: the version, and the beginning of its build's sum. */
export const ptxrunText = ({ head }: Merged): string => `ptxrun ${head.version}, build ${head.build}`;

export const hasPassed = ({ jobs }: Merged): boolean => jobs.every(({ passed }) => passed);
