import { byId } from "../element.ts";

const KEY = "ptxrun.theme";
const words = { auto: "as the system", light: "light", dark: "dark" } as const;
type Theme = keyof typeof words;
const next: Readonly<Record<Theme, Theme>> = { auto: "light", light: "dark", dark: "auto" };

/** Light, dark, or as the system has it; the button goes round, and the page remembers. */
export function theme(): () => void {
  const button = byId("theme", HTMLButtonElement);
  let chosen = kept();
  const apply = (): void => {
    if (chosen === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
    button.setAttribute("aria-label", `Theme: ${words[chosen]}`);
    button.title = `Theme: ${words[chosen]}`;
    button.textContent = { auto: "◐", light: "☀", dark: "☾" }[chosen];
    document.dispatchEvent(new Event("themechange"));
  };
  const turn = (): void => {
    chosen = next[chosen];
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // A page that may keep nothing has the theme until it is closed.
    }
    apply();
  };
  button.addEventListener("click", turn);
  apply();
  return turn;
}

function kept(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : "auto";
  } catch {
    return "auto";
  }
}
