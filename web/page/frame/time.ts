import type { Bench } from "../bench.ts";
import { byId } from "../element.ts";
import type { LaunchHistory } from "../history.ts";
import { numberOfWarp, warpNumbered, warpsOf } from "../warp.ts";
import { heightOf, MOST_ROWS, paintStrip, rowsFor, type StripPicture } from "./strip.ts";

/** The slider over all positions that were reached, and above it where the lanes of all warps were. */
export function timeline(bench: Bench, history: LaunchHistory): void {
  const slider = byId("slider", HTMLInputElement);
  const canvas = byId("strip", HTMLCanvasElement);
  const here = byId("strip-here", HTMLElement);
  const note = byId("strip-note", HTMLElement);
  const who = byId("strip-who", HTMLElement);
  const legend = byId("strip-legend", HTMLElement);
  const general = legend.textContent;
  let picture: StripPicture | undefined;
  /** Warps of the launch, by the strip. */
  let warps: readonly number[] = [];

  slider.addEventListener("input", () => void bench.goTo(slider.valueAsNumber));
  const positionAt = (event: PointerEvent): number => {
    const { left, width } = canvas.getBoundingClientRect();
    return Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * (bench.state?.furthest ?? 0));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    const { top } = canvas.getBoundingClientRect();
    const y = event.clientY - top;
    const row = picture?.rows.find((each) => y >= each.top && y < each.top + each.height);
    const position = positionAt(event);
    const going = bench.goTo(position);
    if (row !== undefined && !row.focused) void going.then(() => look(row.warp, position));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) void bench.goTo(positionAt(event));
    else if (picture !== undefined) say(positionAt(event), false);
  });
  canvas.addEventListener("pointerleave", () => update());

  /** Another warp, by a lane that executes there. */
  const look = (warp: number, position: number): void => {
    const { state } = bench;
    const step = stepAt(position, warp);
    if (state === undefined || step < 0) return;
    const active = picture?.strip.active[step] ?? 1;
    void bench.focus({ ...warpNumbered(warp, state), lane: 31 - Math.clz32(active & -active) });
  };

  /** The last step at or before a position, of any warp or of one; -1 where there is none. */
  const stepAt = (position: number, warp?: number): number => {
    const { positions, warps: of } = picture?.strip ?? { positions: [], warps: [] };
    let [low, high] = [0, positions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((positions[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    let at = low - 1;
    while (warp !== undefined && at >= 0 && of[at] !== warp) at--;
    return at;
  };

  /** Which position it is, and who runs there where that is somebody else. */
  const say = (position: number, isHere: boolean): void => {
    const { state } = bench;
    if (state === undefined) return;
    const { furthest, focus } = state;
    note.textContent = furthest === 0 ? "Nothing has run" : `${position} of ${furthest} steps`;
    const step = stepAt(position);
    const { strip, lines = [] } = picture ?? {};
    const exact = strip !== undefined && position - (strip.positions[step] ?? -1) < strip.grain;
    const warp = strip?.warps[step];
    if (!exact || warp === undefined) who.textContent = "";
    else {
      const { block, warp: index } = warpNumbered(warp, state);
      const name = `block ${block} warp ${index}`;
      const other = block !== focus.block || index !== focus.warp;
      const line = lines[strip.pcs[step] ?? 0];
      who.textContent = isHere
        ? other
          ? `${name} runs here`
          : ""
        : `${warps.length > 1 ? `${name}, ` : ""}line ${line}`;
    }
  };

  const paint = (): void => {
    const { state } = bench;
    if (state === undefined || picture === undefined) {
      canvas.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    canvas.style.height = `${heightOf(picture.rows)}px`;
    const scale = devicePixelRatio;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
    paintStrip(canvas, picture, state.furthest);
  };

  /** Rows for what was recorded, and words for what they are. */
  const arrange = (): void => {
    const { state, loaded } = bench;
    const { strip } = history;
    if (state === undefined || strip === undefined) {
      [picture, warps] = [undefined, []];
      legend.textContent = general;
      return;
    }
    const { lanes, threads, blocks, focus, furthest } = state;
    const ofBlock = warpsOf(state);
    const own = numberOfWarp(focus, state);
    const all = ofBlock * blocks;
    // Of a large launch those that have begun.
    warps =
      all <= MOST_ROWS
        ? Array.from({ length: all }, (_, at) => at)
        : [...new Set(strip.warps).add(own)].sort((a, b) => a - b);
    const rows = rowsFor(warps, own, (warp) => Math.min(lanes, threads - (warp % ofBlock) * lanes));
    picture = { strip, rows, lines: loaded?.code.map(({ line }) => line) ?? [] };
    const isOne = rows.length === warps.length;
    const shown = all > MOST_ROWS ? `${Math.min(warps.length, MOST_ROWS)} of ${all} warps` : `${all} warps`;
    legend.textContent = [
      warps.length === 1
        ? "The lanes of the warp, a colour for each line."
        : isOne
          ? `The lanes of ${shown}, a colour for each line.`
          : `Lanes of block ${focus.block} warp ${focus.warp}; below, ${shown}, a row each.`,
      strip.end < furthest && ` Nothing is kept after step ${strip.end}.`,
      strip.grain > 1 && ` A sample: about one of ${strip.grain} steps.`,
    ]
      .filter(Boolean)
      .join("");
  };

  const update = (): void => {
    const { state } = bench;
    slider.disabled = state === undefined || state.furthest === 0;
    here.hidden = state === undefined || state.furthest === 0 || bench.stale;
    if (state === undefined) {
      note.textContent = "Nothing has run";
      who.textContent = "";
      return;
    }
    const { position, furthest, line } = state;
    slider.max = String(furthest);
    // While somebody drags, the knob is where the finger is.
    if (bench.wanted === undefined || bench.wanted === position) slider.value = String(position);
    slider.setAttribute("aria-valuetext", `${position} of ${furthest}${line === undefined ? "" : `, line ${line}`}`);
    here.style.left = `${furthest === 0 ? 0 : (position / furthest) * 100}%`;
    say(position, true);
  };

  let [painted, by]: unknown[] = [];
  history.listen(() => {
    const { focus, furthest } = bench.state ?? {};
    const now = JSON.stringify([focus?.block, focus?.warp, furthest]);
    if (painted === history.strip && by === now) return update();
    [painted, by] = [history.strip, now];
    arrange();
    paint();
    update();
  });
  bench.listen((change) => {
    if (change === "state" || change === "loaded" || change === "text") update();
  });
  new ResizeObserver(paint).observe(canvas.parentElement ?? canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  document.addEventListener("themechange", paint);
}
