import type { Bench } from "../bench.ts";
import { element } from "../element.ts";

/** What stands in a panel while nothing can be shown, and why. */
export function nothing(): { readonly element: HTMLElement; show(empty: boolean, bench: Bench): void } {
  const text = element("p", { class: "nothing" });
  return {
    element: text,
    show(empty, bench) {
      text.hidden = !empty;
      if (!empty) return;
      const wrong = bench.loaded?.fields.length ?? 0;
      text.textContent =
        bench.loaded === undefined
          ? bench.awake
            ? "Loading …"
            : "Run or Step to see it here."
          : wrong > 0
            ? "An input is wrong: see Inputs."
            : "The program cannot run: see Messages.";
    },
  };
}

/** Which thread is looked at: a block, and a thread in it. */
export function threadPicker(bench: Bench): { readonly element: HTMLElement; show(): void } {
  const number = (label: string): HTMLInputElement =>
    element("input", { type: "number", min: 0, value: 0, "aria-label": label });
  const block = number("Block");
  const thread = number("Thread of the block");
  const blocks = element("label", { class: "pick" }, element("span", {}, "Block"), block);
  const threads = element("label", { class: "pick" }, element("span", {}, "Thread"), thread);
  const take = (): void => {
    const { state } = bench;
    if (state === undefined) return;
    const at = Math.min(Math.max(0, Math.trunc(thread.valueAsNumber) || 0), state.threads - 1);
    const of = Math.min(Math.max(0, Math.trunc(block.valueAsNumber) || 0), state.blocks - 1);
    void bench.focus({ block: of, warp: Math.floor(at / state.lanes), lane: at % state.lanes });
  };
  for (const field of [block, thread]) field.addEventListener("change", take);
  return {
    element: element("span", { class: "picker" }, blocks, threads),
    show() {
      const { state } = bench;
      blocks.hidden = (state?.blocks ?? 1) < 2;
      threads.hidden = (state?.threads ?? 1) < 2;
      if (state === undefined) return;
      block.max = String(state.blocks - 1);
      thread.max = String(state.threads - 1);
      set(block, state.focus.block);
      set(thread, state.focus.warp * state.lanes + state.focus.lane);
    },
  };
}

/** A number in a field, unless somebody is typing there. */
function set(field: HTMLInputElement, value: number): void {
  if (document.activeElement !== field) field.value = String(value);
}
