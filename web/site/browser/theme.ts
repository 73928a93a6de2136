/** The playground keeps its choice under the same name. */
const KEY = "ptxrun.theme";
const words = { auto: "as the system", light: "light", dark: "dark" } as const;
const signs = { auto: "◐", light: "☀", dark: "☾" } as const;
const next = { auto: "light", light: "dark", dark: "auto" } as const;

type Theme = keyof typeof words;

/** Shows the page in the theme that was chosen before. */
export function applyTheme(chosen: Theme = kept()): void {
  if (chosen === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}

/** Makes the button go round through light, dark, and what the system has. */
export function theme(): void {
  const button = document.getElementById("theme");
  if (button === null) return;
  let chosen = kept();
  const show = (): void => {
    applyTheme(chosen);
    button.textContent = signs[chosen];
    button.title = `Theme: ${words[chosen]}`;
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    chosen = next[chosen];
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // A page that may keep nothing has the theme until it is left.
    }
    show();
  });
  show();
  button.hidden = false;
}

function kept(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : "auto";
  } catch {
    return "auto";
  }
}
