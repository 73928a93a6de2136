import type { LoadOptions as VisaOptions } from "../../packages/visa/src/index.ts";
import { parse } from "../parser/index.ts";
import { doubtsAbout, unimplemented } from "../resolve/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { checkGiven, checkOptions } from "../source/given.ts";
import { inOrder } from "../source/in-order.ts";
import type { DeviceOptions } from "./device.ts";
import { imageOf, programOf, withinLimits } from "./module/image.ts";
import { isModuleText, moduleOptions, type SnippetOptions, sourceOf, type Text } from "./module/text.ts";

/**
 * All errors and warnings of a module or a snippet; nothing is run. After syntax errors, meaning is not checked:
 * missing parts of the tree would cause errors of their own.
 */
export function lint(
  text: Text,
  given: SnippetOptions & VisaOptions & Pick<DeviceOptions, "store"> = {},
): readonly Diagnostic[] {
  checkGiven("lint", "the program", text, "program");
  checkOptions("lint", given, { ...moduleOptions, store: "object" });
  const { store, ...options } = given;
  const source = sourceOf(text);
  if (!isModuleText(source)) {
    const { value, diagnostics } = programOf(source, options, store);
    return value === undefined
      ? diagnostics
      : inOrder([...diagnostics, ...doubtsAbout(value), ...unimplemented([value])]);
  }
  const { value, diagnostics } = imageOf(source, options, store);
  if (diagnostics.some(({ code, severity }) => severity === "error" && isSyntax(code))) {
    return withinLimits(undefined, () => ({ ...parse(source, { bodies: "all" }), value: undefined })).diagnostics;
  }
  return inOrder([...diagnostics, ...value.lint()]);
}

const isSyntax = (code: string): boolean => /^PTX1[01]/.test(code);
