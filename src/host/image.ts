import { parse } from "../parser/index.ts";
import { loadModule, type ModuleImage } from "../resolve/index.ts";
import { hasErrors, type Staged } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";

/** Modules already read, by their source: golden checks load one for each case, on a device of its own. */
const images = new WeakMap<Source, Staged<ModuleImage>>();

/** The heads of a module; bodies wait until they are asked for. Errors of syntax hide those of meaning. */
export function imageOf(source: Source): Staged<ModuleImage> {
  let image = images.get(source);
  if (image === undefined) {
    const parsed = parse(source, { bodies: "index" });
    const loaded = loadModule(source, parsed.value);
    const meaning = hasErrors(parsed.diagnostics) ? [] : loaded.diagnostics;
    image = { value: loaded.value, diagnostics: [...parsed.diagnostics, ...meaning] };
    images.set(source, image);
  }
  return image;
}
