import type { File, Func, Item, Module, Sources } from "../ast.ts";
import {
  printAttributes,
  printDeclaration,
  printDirective,
  printParameter,
  printPragma,
  printTarget,
} from "./declaration.ts";
import { printBlock, printSection } from "./statement.ts";

/** A module as PTX. Comments are dropped; parsing the text again returns the same tree apart from its offsets. */
export function print(module: Module): string {
  return `${module.items.map(printItem).join("\n")}\n`;
}

function printItem(item: Item): string {
  switch (item.kind) {
    case "version":
      return `.version ${item.major}.${item.minor}`;
    case "addressSize":
      return `.address_size ${item.bits}`;
    case "target":
      return printTarget(item);
    case "file":
      return printFile(item);
    case "section":
      return printSection(item);
    case "sources":
      return printSources(item);
    case "pragma":
      return printPragma(item);
    case "declaration":
      return printDeclaration(item);
    case "function":
      return printFunc(item);
    case "alias":
      return `.alias ${item.alias.text}, ${item.aliasee.text};`;
  }
}

function printFile({ index, path, timestamp, size }: File): string {
  const numbers = [timestamp, size].filter((value) => value !== undefined).map((value) => `, ${value}`);
  return `.file ${index} "${path.text}"${numbers.join("")}`;
}

function printSources({ blocks }: Sources): string {
  const each = blocks.map(
    ({ irName, file, text }) =>
      `\t.code_block {\n\t\t.ir_name: "${irName.text}"\n\t\t.sourceFileName: ${file}\n\t\t.source_begin${text}.source_end\n\t}`,
  );
  return [".nv_intermediate_source_section {", ...each, "}"].join("\n");
}

function printFunc({ linkage, entry, attributes, name, returns, parameters, directives, body, block }: Func): string {
  const list = (each: readonly Parameters<typeof printParameter>[0][]): string =>
    each.length === 0 ? "()" : `(\n${each.map((one) => `\t${printParameter(one)}`).join(",\n")}\n)`;
  const head = [
    ...(linkage === undefined ? [] : [`.${linkage.text}`]),
    entry ? ".entry" : ".func",
    ...printAttributes(attributes),
    ...(returns.length === 0 ? [] : [`(${returns.map(printParameter).join(", ")})`]),
    name.text + list(parameters),
  ].join(" ");
  const lines = [head, ...directives.map(printDirective)];
  // A body that was never parsed cannot be printed: it is printed empty.
  if (body === undefined) return `${lines.join("\n")};`;
  return [...lines, block === undefined ? "{\n}" : printBlock(block)].join("\n");
}
