import type { Settings } from "../../lsp/index.ts";
import { archOf } from "../../resolve/module/target.ts";
import { platformNamed } from "../../visa/resolve/platform.ts";

/** Settings as a client says them: `target`, `ptx` and `platform`. What is not given, or is none, is as the command line says. */
export function settingsFrom(said: unknown, otherwise: Settings): Settings {
  if (typeof said !== "object" || said === null) return otherwise;
  const { target, ptx, platform } = said as Readonly<Record<string, unknown>>;
  const named = typeof platform === "string" ? platformNamed(platform) : undefined;
  return {
    ...otherwise,
    ...(typeof target === "string" && archOf(target) !== undefined && { target }),
    ...(typeof ptx === "string" && /^\d+\.\d$/.test(ptx) && { version: ptx }),
    ...(named !== undefined && { platform: named }),
  };
}
