/** What `assets/run.js` gives. */
export interface Runner {
  run(figure: HTMLElement, root: URL): Promise<string>;
}

/** Shows the buttons that run examples; what runs them is loaded by the first one that is pressed. */
export function readyExamples(root: URL): void {
  // A page from a folder may start no worker; the playground's link is there all the same.
  if (location.protocol === "file:") return;
  for (const field of document.querySelectorAll<HTMLInputElement>(".fields input")) field.disabled = false;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-run]")) {
    const figure = button.closest<HTMLElement>("figure.example");
    const output = figure?.querySelector("output");
    if (figure === null || !output) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.disabled = true;
      output.textContent = "Running.";
      output.className = "";
      try {
        const runner: Runner = await import(new URL("assets/run.js", root).href);
        output.textContent = await runner.run(figure, root);
      } catch (error) {
        output.className = "wrong";
        output.textContent = error instanceof Error ? error.message : String(error);
      }
      button.disabled = false;
    });
  }
  for (const field of document.querySelectorAll<HTMLInputElement>(".fields input"))
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") field.closest("figure")?.querySelector<HTMLButtonElement>("[data-run]")?.click();
    });
}
