import { parse } from "../../parser/index.ts";
import { loadModule } from "../../resolve/index.ts";
import { showVersion } from "../../resolve/module/header/target.ts";
import type { Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import { type DeviceCode, deviceCodeIn } from "../container/device-code.ts";
import { withinLimits } from "./image.ts";
import { modulesIn } from "./several.ts";

/** A module in a file: of a text, or embedded in a cubin, a fat binary, an object or a program. */
export interface ListedModule {
  readonly kind: DeviceCode["kind"];
  /** `sm_90a`; of machine code without its text, `sm_90`. */
  readonly target: string;
  /** The `.version` of its PTX, as `9.0`; absent of machine code that does not keep it. */
  readonly version?: string;
  /** Its byte in the file, or its offset in the text. */
  readonly offset: number;
  readonly packing: DeviceCode["packing"];
  readonly kernels: readonly string[];
}

/** The modules in a file for which `isContainer` is true. */
export function embeddedModules(name: string, bytes: Uint8Array): Staged<readonly ListedModule[]> {
  const { value: modules, diagnostics } = deviceCodeIn(bytes);
  const value = modules.flat().map((code): ListedModule => {
    const { kind, offset, target, packing } = code;
    const text = code.text();
    const [first] = text === undefined ? [] : textModules(new Source(name, text));
    const own = first && { target: first.target, ...(first.version !== undefined && { version: first.version }) };
    const kernels = first?.kernels ?? code.kernels();
    return { kind, offset, target: `sm_${target}`, ...own, packing, kernels };
  });
  return { value, diagnostics };
}

/** The modules of a PTX text. */
export const textModules = (source: Source): readonly ListedModule[] =>
  withinLimits([], () => {
    const value = modulesIn(parse(source, { bodies: "index" }).value).map((module): ListedModule => {
      const { target, version, entries } = loadModule(source, module).value;
      return {
        kind: "PTX",
        target: target.name,
        version: showVersion(version),
        offset: module.start,
        packing: "none",
        kernels: entries,
      };
    });
    return { value, diagnostics: [] };
  }).value;
