import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import { inOrder } from "../../../../src/source/in-order.ts";
import type { Source } from "../../../../src/source/source.ts";
import { loadVisa } from "../../../visa/src/index.ts";
import { withinLimits } from "../module/whole.ts";
import type { Settings } from "../settings.ts";

/** Lints vISA. */
export function lintVisa(source: Source, { platform }: Settings): readonly Diagnostic[] {
  return withinLimits(() => {
    const { value, diagnostics } = loadVisa(source, platform === undefined ? {} : { platform });
    return inOrder([...diagnostics, ...(value?.lint() ?? [])]);
  });
}
