/** Whether stepping continues: `over` while the call depth is greater, `out` until the function has returned. */
export const passes = (stepping: "into" | "over" | "out", before: number, now: number): boolean =>
  stepping === "over" ? now > before : stepping === "out" && (before === 0 || now >= before);
