import { element } from "../element.ts";

/** Keys and what each of them does. */
export type KeyHelp = readonly [keys: readonly string[], about: string];

/** The dialog that says what this is and which keys there are. */
export function helpDialog(keys: readonly KeyHelp[]): HTMLDialogElement {
  const dialog = element(
    "dialog",
    { id: "help-dialog", "aria-labelledby": "help-title" },
    // Without it the first link is focused, and scrolled to.
    element("h2", { id: "help-title", tabindex: -1, autofocus: "" }, "Help"),
    element(
      "p",
      {},
      "Type or paste PTX, or choose an example: it runs by itself, with inputs that were found by trying. Step, and go back: every position can be visited again, with the slider, too. Nothing leaves this page; it computes in your browser.",
    ),
    element(
      "p",
      {},
      "A text without .version is the body of a kernel: its registers are inputs and outputs. A name that ends in .visaasm is Intel vISA.",
    ),
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element("tr", {}, element("th", { scope: "col" }, "key"), element("th", { scope: "col" }, "what it does")),
      ),
      element(
        "tbody",
        {},
        ...keys.map(([names, about]) =>
          element(
            "tr",
            {},
            element("td", {}, ...names.map((key) => element("kbd", {}, key))),
            element("td", {}, about),
          ),
        ),
      ),
    ),
    element(
      "p",
      {},
      element("a", { href: "manual/index.html" }, "The manual"),
      " has every instruction, with examples.",
    ),
    element("form", { method: "dialog" }, element("button", {}, "Close")),
  );
  document.body.append(dialog);
  return dialog;
}
