import type { Bench } from "../bench.ts";
import { byId } from "../element.ts";
import { paintStrip, type StripPicture } from "./strip.ts";

/** The slider over all positions that were reached, and above it where the lanes of the focused warp were. */
export function timeline(bench: Bench): void {
  const slider = byId("slider", HTMLInputElement);
  const canvas = byId("strip", HTMLCanvasElement);
  const note = byId("strip-note", HTMLElement);
  let picture: StripPicture | undefined;
  let known = "";
  slider.addEventListener("input", () => void bench.goTo(slider.valueAsNumber));
  const point = (event: PointerEvent): void => {
    const { left, width } = canvas.getBoundingClientRect();
    const { furthest = 0 } = bench.state ?? {};
    void bench.goTo(Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * furthest));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    point(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) point(event);
  });
  const paint = (): void => {
    const { state } = bench;
    paintStrip(canvas, picture, state?.position ?? 0, state?.furthest ?? 0);
  };
  const update = (): void => {
    const { state } = bench;
    slider.disabled = state === undefined || state.furthest === 0;
    if (state === undefined) {
      [picture, known] = [undefined, ""];
      note.textContent = "Nothing has run";
      paint();
      return;
    }
    const { position, furthest, focus, line } = state;
    slider.max = String(furthest);
    // While somebody drags, the knob is where the finger is.
    if (bench.wanted === undefined || bench.wanted === position) slider.value = String(position);
    slider.setAttribute("aria-valuetext", `${position} of ${furthest}${line === undefined ? "" : `, line ${line}`}`);
    note.textContent = furthest === 0 ? "Run or Step to begin" : `${position} of ${furthest} steps`;
    const wanted = `${focus.block} ${focus.warp} ${furthest}`;
    paint();
    if (wanted === known) return;
    known = wanted;
    bench.look(bench.client.strip(focus.block, focus.warp), (strip) => {
      if (known !== wanted) return;
      picture = {
        strip,
        lines: bench.loaded?.code.map(({ line: at }) => at) ?? [],
        lanes: Math.min(state.lanes, state.threads - focus.warp * state.lanes),
      };
      paint();
    });
  };
  bench.listen((change) => {
    // What is shown stays while the text cannot run.
    if (bench.stale && bench.state !== undefined) return;
    if (change === "loaded") [picture, known] = [undefined, ""];
    if (change === "state" || change === "loaded") update();
  });
  new ResizeObserver(paint).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  document.addEventListener("themechange", paint);
}
