import { type Bench, emptyInputs } from "../bench.ts";
import type { Inputs } from "../client.ts";
import { byId, element } from "../element.ts";
import { first } from "../first.ts";

/** An example as the list has it; its text is fetched when it is chosen. */
interface Example {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Examples of one group stand together. */
  readonly group: string;
  /** Its text, below `examples/`; the end of the name says in which language it is. */
  readonly file: string;
  readonly inputs: Partial<Inputs>;
}

/** The menu of examples, which is filled once somebody is there, and opens what is chosen; gives what opens one by its id. */
export function examplesMenu(bench: Bench): (id: string) => Promise<void> {
  const menu = byId("examples", HTMLSelectElement);
  let coming: Promise<readonly Example[]> | undefined;
  let opening = "";
  const fill = async (): Promise<readonly Example[]> => {
    const answer = await fetch("examples/index.json");
    if (!answer.ok) return [];
    const examples = (await answer.json()) as readonly Example[];
    for (const [name, members] of Map.groupBy(examples, ({ group }) => group)) {
      const group = element("optgroup", { label: name });
      group.append(...members.map(({ id, title, about }) => element("option", { value: id, title: about }, title)));
      menu.append(group);
    }
    return examples;
  };
  const known = (): Promise<readonly Example[]> => {
    coming ??= fill();
    return coming;
  };
  const open = async (id: string): Promise<void> => {
    if (id === "first") return bench.open(first);
    const chosen = (await known()).find((each) => each.id === id);
    if (chosen === undefined) return;
    menu.value = id;
    const { file, inputs } = chosen;
    const answer = await fetch(`examples/${file}`);
    const text = await answer.text();
    // Meanwhile somebody may have chosen another one.
    if (!answer.ok || menu.value !== id) return;
    opening = id;
    await bench.open({ name: file.split("/").at(-1) ?? file, text, inputs: { ...emptyInputs, ...inputs } });
  };
  menu.append(
    element("option", { value: "" }, "choose …"),
    element("option", { value: "first" }, "Lanes that diverge"),
  );
  bench.listen((change) => {
    if (change === "awake") void known();
    if (change === "text" && bench.project.name.startsWith("pasted.")) menu.value = "";
    if (change !== "project") return;
    menu.value = bench.project === first ? "first" : opening;
    opening = "";
  });
  menu.addEventListener("change", () => void open(menu.value));
  return open;
}
