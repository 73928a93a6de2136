import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Words } from "../client.ts";
import { longComments, type TokenKind, tokens, vocabulary } from "./tokens.ts";

const kinds: readonly TokenKind[] = [
  "comment", "mnemonic", "modifier", "directive", "register", "special", "label", "number",
]; // biome-ignore format: a list of names

const marks = new Map(kinds.map((kind) => [kind, Decoration.mark({ class: `token-${kind}` })]));

/** Colours of a program, of the lines in sight; what counts as an instruction or a modifier is what the table knows. */
export function colours(words: Words, isVisa: boolean): Extension {
  const known = vocabulary(words, isVisa);
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      #comments: ReturnType<typeof longComments>;

      constructor(view: EditorView) {
        this.#comments = longComments(view.state.doc.toString());
        this.decorations = this.#paint(view);
      }

      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged) this.#comments = longComments(view.state.doc.toString());
        if (docChanged || viewportChanged) this.decorations = this.#paint(view);
      }

      #paint(view: EditorView): DecorationSet {
        const builder = new RangeSetBuilder<Decoration>();
        for (const { from, to } of view.visibleRanges)
          for (let at = from; at <= to; ) {
            const line = view.state.doc.lineAt(at);
            this.#paintLine(builder, line.from, line.text);
            at = line.to + 1;
          }
        return builder.finish();
      }

      #paintLine(builder: RangeSetBuilder<Decoration>, start: number, text: string): void {
        const within = this.#comments.find(({ from, to }) => from < start && to > start);
        const begins = within === undefined ? 0 : Math.min(text.length, within.to - start);
        const add = (from: number, to: number, kind: TokenKind): void => {
          const mark = marks.get(kind);
          if (mark !== undefined && to > from) builder.add(start + from, start + to, mark);
        };
        add(0, begins, "comment");
        for (const { from, to, kind } of tokens(text.slice(begins), known)) add(begins + from, begins + to, kind);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}
