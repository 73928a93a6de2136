import type { Strip } from "../client.ts";

/** What is painted: steps of warps, the line of each instruction, and the rows that warps have. */
export interface StripPicture {
  readonly strip: Strip;
  readonly lines: readonly number[];
  readonly rows: readonly StripRow[];
}

/** A row of a warp, in pixels of the page. */
export interface StripRow {
  /** Counted through the launch. */
  readonly warp: number;
  readonly top: number;
  readonly height: number;
  /** How many lanes are painted below each other; 0 where the warp is one line. */
  readonly lanes: number;
  /** Of the warp that is looked at. */
  readonly focused: boolean;
}

/** Warps whose lanes are all painted; of more, those of the focused one are, and each warp is a thin row. */
const FEW = 3;
/** Pixels of the lanes of one warp, by how many warps there are. */
const LANES_HEIGHT = [48, 48, 32, 28, 40];
const GAP = 4;
/** Pixels of thin rows. */
const THICKEST = 8;
const HIGHEST = 84;
/** Thin rows, as far as they can be told from each other. */
export const MOST_ROWS = 168;

/** The rows of the warps of a strip, of which one is focused; `lanes` says how many a warp has. */
export function rowsFor(warps: readonly number[], focus: number, lanes: (warp: number) => number): readonly StripRow[] {
  const of = (warp: number, top: number, height: number, shown: number): StripRow => ({
    ...{ warp, top, height, lanes: shown, focused: warp === focus },
  });
  if (warps.length <= FEW) {
    const height = LANES_HEIGHT[warps.length] ?? 0;
    return warps.map((warp, at) => of(warp, at * (height + GAP), height, lanes(warp)));
  }
  const [, , , , height = 0] = LANES_HEIGHT;
  const at = Math.max(0, warps.indexOf(focus));
  const first = Math.max(0, Math.min(at - MOST_ROWS / 2, warps.length - MOST_ROWS));
  const shown = warps.slice(first, first + MOST_ROWS);
  const thin = Math.min(THICKEST, HIGHEST / shown.length);
  return [
    of(focus, 0, height, lanes(focus)),
    ...shown.map((warp, index) => of(warp, height + GAP + index * thin, thin, 0)),
  ];
}

/** How high all rows are together. */
export const heightOf = (rows: readonly StripRow[]): number =>
  Math.max(LANES_HEIGHT[0] ?? 0, ...rows.map(({ top, height }) => top + height));

/** Colours that stand apart from each other on both papers, for lines of the program in turn. */
const hues = [162, 215, 40, 280, 340, 100, 190, 15];

/**
 * Paints time from left to right and rows of lanes and of warps: filled where they execute, in a colour of the line. Of steps
 * that share a column of pixels in a row, one is painted.
 */
export function paintStrip(canvas: HTMLCanvasElement, { strip, lines, rows }: StripPicture, furthest: number): void {
  const paper = canvas.getContext("2d");
  if (paper === null) return;
  const { width, height } = canvas;
  const scale = height / heightOf(rows);
  paper.clearRect(0, 0, width, height);
  const style = getComputedStyle(document.body);
  const lightness = isLight(style.color) ? "62%" : "45%";
  if (rows.length > 1) {
    paper.fillStyle = style.color;
    for (const { focused, top, height: tall } of rows) {
      paper.globalAlpha = focused ? 0.12 : 0.03;
      paper.fillRect(0, top * scale, width, Math.max(1, (tall > 2 ? tall - 1 : tall) * scale));
    }
    paper.globalAlpha = 1;
  }
  if (furthest === 0) return;
  const least = lines.reduce((low, line) => Math.min(low, line), Number.POSITIVE_INFINITY);
  const colours = lines.map((line) => `hsl(${hues[(line - least) % hues.length] ?? 0} 55% ${lightness})`);
  const wide = width / furthest;
  const columns = Math.max(1, Math.ceil(wide * strip.grain));
  const byWarp = Map.groupBy(rows, ({ warp }) => warp);
  const painted = new Map<StripRow, number>();
  for (const [at, position] of strip.positions.entries()) {
    const left = Math.floor(position * wide);
    for (const row of byWarp.get(strip.warps[at] ?? 0) ?? []) {
      if (painted.get(row) === left && wide < 1) continue;
      painted.set(row, left);
      paper.fillStyle = colours[strip.pcs[at] ?? 0] ?? "";
      if (row.lanes === 0) {
        const tall = Math.max(1, (row.height > 2 ? row.height - 1 : row.height) * scale);
        paper.fillRect(left, Math.floor(row.top * scale), columns, tall);
        continue;
      }
      const tall = (row.height * scale) / row.lanes;
      runs(strip.active[at] ?? 0, row.lanes, (from, to) =>
        paper.fillRect(left, row.top * scale + from * tall, columns, (to - from) * tall),
      );
    }
  }
}

/** Whether a colour, as `rgb(...)`, is one of light text on dark paper. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return red + green + blue > 384;
}

/** Each run of neighbouring lanes. */
function runs(mask: number, lanes: number, take: (from: number, to: number) => void): void {
  for (let lane = 0; lane < lanes; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    let to = lane + 1;
    while (to < lanes && ((mask >>> to) & 1) === 1) to++;
    take(lane, to);
    lane = to;
  }
}
