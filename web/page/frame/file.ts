import { type Bench, emptyInputs } from "../bench.ts";
import { byId } from "../element.ts";
import { languageOf } from "../language.ts";

/** Shows the program's name, and opens a file from a dialog or one that is dropped on the page. It is read here and goes nowhere. */
export function openFiles(bench: Bench): void {
  const name = byId("name", HTMLElement);
  const field = byId("file", HTMLInputElement);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const found = await bench.client.read(file.name, new Uint8Array(await file.arrayBuffer()));
    if ("wrong" in found) {
      bench.fail(found.wrong);
      return;
    }
    const { text } = found;
    await bench.open({ name: languageOf(file.name, text), text, inputs: emptyInputs });
  };
  byId("open", HTMLButtonElement).addEventListener("click", () => field.click());
  field.addEventListener("change", () => {
    void take(field.files?.[0]);
    field.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    void take(event.dataTransfer?.files[0]);
  });
  bench.listen((change) => {
    if (change === "project" || change === "text") name.textContent = bench.project.name;
  });
}
