/** One digit after the point, cut off and not rounded: only all of it is shown as 100%. */
export const percent = (part: number, all: number): string =>
  all === 0 ? "0.0%" : `${(Math.floor((part * 1000) / all) / 10).toFixed(1)}%`;
