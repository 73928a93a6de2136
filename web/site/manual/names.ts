import type { Form, Section } from "../../../src/isa/index.ts";
import { slug } from "../html.ts";

/** The page of a section. */
export const sectionPath = ({ name }: Pick<Section, "name">): string => `manual/${name}.html`;

/** Where each form of a section stands on its page: the first words of its line, numbered where they would be equal. */
export function anchorsOf({ forms, mnemonics }: Section): ReadonlyMap<Form, string> {
  // Names of the mnemonics' own headings are taken.
  const taken = new Set(mnemonics.map(slug));
  const anchors = new Map<Form, string>();
  for (const form of forms) {
    const base = slug(form.syntax).slice(0, 64).replace(/-$/, "");
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    anchors.set(form, name);
  }
  return anchors;
}

/** A section of NVIDIA's own manual. */
export const nvidia = (anchor: string): string =>
  `https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#${anchor}`;
