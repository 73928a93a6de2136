import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { Client, Problem, Text } from "../client.ts";

// What is needed once somebody edits, in a file of its own: the page is there before it.

/** The kinds of completions that CodeMirror has a picture for. */
const pictures: Readonly<Record<string, string>> = {
  mnemonic: "function", modifier: "property", directive: "keyword", register: "variable",
  label: "text", special: "constant", symbol: "class",
}; // biome-ignore format: a table

/** Keys, undoing, searching, and completion as the client knows it; `text` is what the editor holds now. */
export function editing(client: Client, text: () => Text): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (!context.explicit && context.matchBefore(/[\w.%$]$/) === null) return null;
    const found = await client.complete(text(), context.pos);
    if (found === undefined || context.aborted) return null;
    const options = found.items.map(({ label, kind, detail, about, insert }) => ({
      label,
      type: pictures[kind] ?? "text",
      ...(detail === undefined ? {} : { detail }),
      ...(about === undefined ? {} : { info: about }),
      ...(insert === undefined ? {} : { apply: insert }),
    }));
    return { from: found.from, options };
  };
  return [
    history(),
    bracketMatching(),
    search({ top: true }),
    autocompletion({ override: [complete], maxRenderedOptions: 60 }),
    keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

/** What is underlined at once: a text that is no program at all has something wrong in every line. */
const MAX_UNDERLINED = 500;

/** Underlines what is wrong; its tooltip has what mends it, and a way to the code's page. */
export function underline(view: EditorView, problems: readonly Problem[], ask: (code: string) => void): void {
  const { length } = view.state.doc;
  const diagnostics = problems.slice(0, MAX_UNDERLINED).flatMap((problem): Diagnostic[] => {
    const { code, severity, message, expected, from, to, help } = problem;
    if (from > length) return [];
    const ways = help.flatMap(({ message: name, replace }) => {
      if (replace === undefined) return [];
      const changes = { from: replace.from, to: replace.to, insert: replace.text };
      return [{ name, apply: (target: EditorView) => target.dispatch({ changes }) }];
    });
    const words = help.filter(({ replace }) => replace === undefined).map((each) => `\n${each.message}`);
    return [
      {
        from,
        to: Math.min(Math.max(to, from), length),
        source: code,
        severity: severity === "note" ? "info" : severity,
        message: `${message}${expected === undefined ? "" : `\nexpected ${expected}`}${words.join("")}`,
        actions: [...ways, { name: `About ${code}`, apply: () => ask(code) }],
      },
    ];
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
