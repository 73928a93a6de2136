import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { Client, Text } from "../client.ts";
import { element } from "../element.ts";
import { hasHistory } from "./values.ts";

/** What the client knows of the word under the pointer. */
export const hovers = (client: Client, text: () => Text): Extension =>
  hoverTooltip(async (view, offset) => {
    const found = await client.hover(text(), offset);
    if (found === undefined || hasHistory(view.state)) return null;
    const lines = found.lines.map(({ kind, text: line }) => element(kind === "code" ? "code" : "p", {}, line));
    return { pos: found.from, end: found.to, create: () => ({ dom: element("div", { class: "hover" }, ...lines) }) };
  });
