import type { Bench } from "../bench.ts";
import type { Project } from "../client.ts";
import { byId } from "../element.ts";
import { decode, encode } from "../link.ts";

/** What the address of the page holds; undefined for nothing, and for what cannot be read, which is said. */
export async function projectInLink(): Promise<Project | undefined> {
  const fragment = location.hash.slice(1);
  // A place of the page itself, such as that of the link that skips to the editor.
  if (fragment === "" || document.getElementById(fragment) !== null || /^(?:tour|example)(?:=|$)/.test(fragment))
    return undefined;
  try {
    return await decode(fragment);
  } catch (error) {
    const alert = byId("alert", HTMLElement);
    alert.textContent = `The link cannot be read: ${error instanceof Error ? error.message : error}`;
    alert.classList.remove("unseen");
    return undefined;
  }
}

/** Puts everything into the address and copies it. */
export function shareButton(bench: Bench): void {
  const button = byId("share", HTMLButtonElement);
  const status = byId("status", HTMLElement);
  button.title = "copy a link that contains the program and its inputs";
  button.addEventListener("click", async () => {
    const fragment = await encode(bench.project);
    history.replaceState(undefined, "", `#${fragment}`);
    const copied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    status.textContent = copied
      ? "✔ The link is copied; it contains everything."
      : "✔ The link is in the address bar; it contains everything.";
  });
  addEventListener("hashchange", async () => {
    const project = await projectInLink();
    if (project !== undefined) await bench.open(project);
  });
}
