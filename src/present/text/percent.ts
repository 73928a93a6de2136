/** One digit after the point, truncated: only the total is shown as 100%. */
export const percent = (part: number, all: number): string =>
  all === 0 ? "0.0%" : `${(Math.floor((part * 1000) / all) / 10).toFixed(1)}%`;
