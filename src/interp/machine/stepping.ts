/** Whether a step goes on: `over` while the thread is deeper in calls, `out` until it has left its function. */
export const passes = (stepping: "into" | "over" | "out", before: number, now: number): boolean =>
  stepping === "over" ? now > before : stepping === "out" && (before === 0 || now >= before);
