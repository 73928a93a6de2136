import type { Strip } from "../client.ts";

/** A warp's steps, and the line of each instruction. */
export interface StripPicture {
  readonly strip: Strip;
  readonly lines: readonly number[];
  readonly lanes: number;
}

/** Colours that stand apart from each other on both papers, for lines of the program in turn. */
const hues = [162, 215, 40, 280, 340, 100, 190, 15];

/**
 * Paints time from left to right and a lane in each row: filled where the lane executes, in a colour of the line; where it is
 * left, the others execute without it. Where many steps share a column, a lane is filled as much as it executes.
 */
export function paintStrip(
  canvas: HTMLCanvasElement,
  picture: StripPicture | undefined,
  position: number,
  furthest: number,
): void {
  const scale = devicePixelRatio;
  const width = Math.max(1, Math.round(canvas.clientWidth * scale));
  const height = Math.max(1, Math.round(canvas.clientHeight * scale));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const paper = canvas.getContext("2d");
  if (paper === null) return;
  paper.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const lightness = isLight(style.color) ? "62%" : "45%";
  if (picture !== undefined && furthest > 0) {
    const { strip, lines, lanes } = picture;
    const least = lines.reduce((low, line) => Math.min(low, line), Number.POSITIVE_INFINITY);
    const tall = height / lanes;
    const { positions, pcs, active } = strip;
    const wide = width / furthest;
    // Of steps that share a column of pixels, one is painted.
    let painted = -1;
    for (let at = 0; at < positions.length; at++) {
      const left = Math.floor((positions[at] ?? 0) * wide);
      if (left === painted && wide < 1) continue;
      painted = left;
      const line = lines[pcs[at] ?? 0] ?? 0;
      const hue = hues[(line - least) % hues.length] ?? 0;
      paper.fillStyle = `hsl(${hue} 55% ${lightness})`;
      rows(active[at] ?? 0, lanes, (from, to) =>
        paper.fillRect(left, from * tall, Math.max(1, Math.ceil(wide)), (to - from) * tall),
      );
    }
  }
  const at = furthest === 0 ? 0 : Math.round((position / furthest) * width);
  paper.fillStyle = style.color;
  paper.fillRect(Math.min(width - 2 * scale, Math.max(0, at - scale)), 0, 2 * scale, height);
}

/** Whether a colour, as `rgb(...)`, is one of light text on dark paper. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return red + green + blue > 384;
}

/** Each run of neighbouring lanes. */
function rows(mask: number, lanes: number, take: (from: number, to: number) => void): void {
  for (let lane = 0; lane < lanes; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    let to = lane + 1;
    while (to < lanes && ((mask >>> to) & 1) === 1) to++;
    take(lane, to);
    lane = to;
  }
}
