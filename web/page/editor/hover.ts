import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { Client, Text } from "../client.ts";
import { element } from "../element.ts";
import { noteIsBelow } from "./marks.ts";
import { hasHistory } from "./values.ts";

/** What the client knows of the word under the pointer. */
export const hovers = (client: Client, text: () => Text): Extension =>
  hoverTooltip(async (view, offset) => {
    const { doc } = view.state;
    const found = await client.hover(text(), offset);
    // The text may have been replaced meanwhile.
    if (found === undefined || view.state.doc !== doc || hasHistory(view.state)) return null;
    const lines = found.lines.map(({ kind, text: line }) => element(kind === "code" ? "code" : "p", {}, line));
    const above = noteIsBelow(view.state, found.from);
    const dom = element("div", { class: "hover" }, ...lines);
    // It stays above only where it has the room.
    if (above) dom.style.maxHeight = `${(view.coordsAtPos(found.from)?.top ?? 0) - 24}px`;
    return { pos: found.from, end: found.to, above, create: () => ({ dom }) };
  });
