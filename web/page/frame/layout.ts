import { byId, element } from "../element.ts";
import type { Tabs } from "./tabs.ts";

const KEY = "ptxrun.layout";

/** Percent of the page that the program has, of its panels that the upper ones have, and the tabs that were chosen. */
interface Layout {
  code: number;
  state: number;
  tabs: Record<string, string>;
}

const standard = { code: 50, state: 50 } as const;

/** Neither side of a bar becomes smaller than this. */
const LEAST = 15;
/** Percent for an arrow key. */
const STEP = 2;

/** Bars between the panes that can be moved, and what the page remembers of how somebody has arranged it. */
export function layout(tabs: Tabs): void {
  const regions = byId("regions", HTMLElement);
  const kept = read();
  const apply = (): void => {
    for (const each of ["code", "state"] as const) regions.style.setProperty(`--${each}`, `${kept[each]}fr`);
    for (const each of ["code", "state"] as const)
      regions.style.setProperty(`--beside-${each}`, `${100 - kept[each]}fr`);
    for (const { show } of bars) show();
  };
  const change = (part: "code" | "state", percent: number): void => {
    kept[part] = Math.round(Math.min(100 - LEAST, Math.max(LEAST, percent)) * 10) / 10;
    apply();
    write(kept);
  };
  const bars = [bar("code"), bar("state")];
  for (const [at, name] of (["code", "state"] as const).entries())
    regions.querySelector(`[data-region="${name}"]`)?.after(bars[at]?.element ?? "");
  apply();
  for (const id of Object.values(kept.tabs)) if (tabs.homeOf(id) !== undefined) tabs.recall(id);
  tabs.onChoice = (id) => {
    const home = tabs.homeOf(id);
    if (home === undefined || home === "code") return;
    kept.tabs[home] = id;
    write(kept);
  };

  function bar(part: "code" | "state") {
    const stands = part === "code";
    const made = element("div", {
      class: `splitter ${part}`,
      role: "separator",
      tabindex: 0,
      "aria-orientation": stands ? "vertical" : "horizontal",
      "aria-label": stands ? "Width of the program" : "Height of the upper panels",
      "aria-valuemin": LEAST,
      "aria-valuemax": 100 - LEAST,
      title: "drag it, or use the arrow keys; a double click or Enter puts it into the middle",
    });
    const [less, more] = stands ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    made.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      made.setPointerCapture(event.pointerId);
      made.focus();
    });
    made.addEventListener("pointermove", (event) => {
      if (!made.hasPointerCapture(event.pointerId)) return;
      const { left, top, width, height } = regions.getBoundingClientRect();
      change(part, (stands ? (event.clientX - left) / width : (event.clientY - top) / height) * 100);
    });
    made.addEventListener("dblclick", () => change(part, standard[part]));
    made.addEventListener("keydown", ({ key }) => {
      if (key === less) change(part, kept[part] - STEP);
      if (key === more) change(part, kept[part] + STEP);
      if (key === "Home") change(part, 0);
      if (key === "End") change(part, 100);
      if (key === "Enter") change(part, standard[part]);
    });
    return { element: made, show: () => made.setAttribute("aria-valuenow", String(Math.round(kept[part]))) };
  }
}

/** What was kept, as far as it makes sense. */
function read(): Layout {
  let found: Partial<Layout> = {};
  try {
    found = (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as Partial<Layout>;
  } catch {
    // A page that may keep nothing, or something else under this name.
  }
  const percent = (value: unknown, otherwise: number): number =>
    typeof value === "number" && value >= LEAST && value <= 100 - LEAST ? value : otherwise;
  const tabs = Object.entries(typeof found.tabs === "object" ? (found.tabs ?? {}) : {});
  return {
    code: percent(found.code, standard.code),
    state: percent(found.state, standard.state),
    tabs: Object.fromEntries(tabs.filter(([, id]) => typeof id === "string")),
  };
}

function write(layout: Layout): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(layout));
  } catch {
    // Then it lasts until the page is closed.
  }
}
