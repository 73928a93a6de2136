import { readyExamples } from "./examples.ts";
import { search } from "./search.ts";
import { applyTheme, theme } from "./theme.ts";

// Runs in the head: a page is never seen in the other theme first.
applyTheme();
const script = document.currentScript;
const root = new URL(script?.dataset["root"] ?? "", document.baseURI);
document.addEventListener("DOMContentLoaded", () => {
  theme();
  // On a narrow page the contents stand before the text, and would hide it.
  const contents = document.querySelector<HTMLDetailsElement>(".beside details");
  if (contents !== null && matchMedia("(max-width: 50rem)").matches) contents.open = false;
  search(root);
  readyExamples(root);
});
