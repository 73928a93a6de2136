import type { Diagnostic } from "../../source/diagnostic.ts";
import { inOrder } from "../../source/in-order.ts";
import type { Source } from "../../source/source.ts";
import { loadVisa } from "../../visa/index.ts";
import { withinLimits } from "../module/whole.ts";
import type { Settings } from "../settings.ts";

/** What `lint` says of vISA. */
export function lintVisa(source: Source, { platform }: Settings): readonly Diagnostic[] {
  return withinLimits(() => {
    const { value, diagnostics } = loadVisa(source, platform === undefined ? {} : { platform });
    return inOrder([...diagnostics, ...(value?.lint() ?? [])]);
  });
}
