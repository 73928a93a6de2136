import { StateEffect, StateField } from "@codemirror/state";
import type { BlockInfo, EditorView } from "@codemirror/view";

const setHovered = StateEffect.define<number>();

/** The line whose gutter is under the pointer, so that it can show what a click would do; 0 for none. */
export const hovered = StateField.define<number>({
  create: () => 0,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setHovered)) return effect.value;
    return value;
  },
});

/** What each part of the gutter hears: a click toggles, wherever it is beside the line. */
export function gutterEvents(toggle: (line: number) => void) {
  const hover = (view: EditorView, line: number): boolean => {
    if (view.state.field(hovered) !== line) view.dispatch({ effects: setHovered.of(line) });
    return false;
  };
  const numberOf = (view: EditorView, block: BlockInfo): number => view.state.doc.lineAt(block.from).number;
  return {
    mousedown(view: EditorView, block: BlockInfo): boolean {
      toggle(numberOf(view, block));
      return true;
    },
    mousemove: (view: EditorView, block: BlockInfo): boolean => hover(view, numberOf(view, block)),
    mouseleave: (view: EditorView): boolean => hover(view, 0),
  };
}
