import type { Bench } from "../bench.ts";
import { element } from "../element.ts";
import type { Action } from "./actions.ts";

const SVG = "http://www.w3.org/2000/svg";

function picture(path: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

/** Fills the toolbar with a button for each action; what cannot be done now is not to be pressed. */
export function toolbar(place: HTMLElement, actions: readonly Action[], bench: Bench): void {
  const buttons = actions.map((action) => {
    const { id, title, about, key, also = [], act, icon } = action;
    const button = element("button", {
      type: "button",
      id: `do-${id}`,
      title: `${about} (${key})`,
      "aria-keyshortcuts": [key, ...also].join(" ").replaceAll("Ctrl", "Control"),
      onclick: act,
    });
    if (icon !== undefined) button.append(picture(icon));
    button.append(element("span", {}, title));
    return { action, button };
  });
  place.replaceChildren(...buttons.map(({ button }) => button));
  const update = (): void => {
    const { busy, state } = bench;
    const atStart = state?.position === 0 && !bench.stale;
    for (const { action, button } of buttons) {
      const back = action.id === "back" || action.id === "run-back";
      const cannot = action.when === "running" ? !busy : busy || (back && atStart);
      // A button that has the keyboard keeps it while it can do nothing.
      button.setAttribute("aria-disabled", String(cannot));
    }
  };
  place.addEventListener(
    "click",
    (event) => {
      if ((event.target as HTMLElement).closest("[aria-disabled=true]")) event.stopPropagation();
    },
    { capture: true },
  );
  bench.listen(update);
  update();
}
