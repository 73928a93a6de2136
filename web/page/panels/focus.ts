import type { Bench } from "../bench.ts";
import type { State } from "../client.ts";
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
  /** The number in a field; undefined where there is no such thread, which is said. */
  const read = (field: HTMLInputElement, range: string): number | undefined => {
    const { value, max } = field;
    if (/^\d+$/.test(value) && Number(value) <= Number(max)) return Number(value);
    bench.fail(`there is no ${value || "such number"}: ${range} 0 to ${max}`);
    return undefined;
  };
  const take = (): void => {
    const { state } = bench;
    if (state === undefined) return;
    const of = read(block, "the launch has blocks");
    const at = of === undefined ? undefined : read(thread, "a block has threads");
    if (of === undefined || at === undefined) put(state);
    else void bench.focus({ block: of, warp: Math.floor(at / state.lanes), lane: at % state.lanes });
  };
  const put = ({ focus, lanes }: State): void => {
    block.value = String(focus.block);
    thread.value = String(focus.warp * lanes + focus.lane);
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
      // Unless somebody is typing there.
      if (![block, thread].includes(document.activeElement as HTMLInputElement)) put(state);
    },
  };
}
