import type {
  Attribute,
  CallPrototype,
  Declaration,
  Expr,
  FunctionDirective,
  Location,
  Name,
  Parameter,
  Pragma,
  Target,
  Text,
  Variable,
} from "../ast.ts";
import { printExpr, printInitial } from "./expression.ts";

const dotted = (name: Name | undefined): readonly string[] => (name === undefined ? [] : [`.${name.text}`]);
const alignments = (align: readonly Expr[]): readonly string[] => align.map((value) => `.align ${printExpr(value)}`);
const quoted = (texts: readonly Text[]): string => texts.map(({ text }) => `"${text}"`).join(", ");

/** `.visible .global .align 4 .f32 t[2] = {1.0, 2.0};`. */
export function printDeclaration(declaration: Declaration): string {
  const { linkage, space, bank, attributes, align, vector, type, variables } = declaration;
  const words = [
    ...dotted(linkage),
    `.${space.text}${bank === undefined ? "" : `[${printExpr(bank)}]`}`,
    ...printAttributes(attributes),
    ...alignments(align),
    ...dotted(vector),
    `.${type.text}`,
    ...(variables.length === 0 ? [] : [variables.map(printVariable).join(", ")]),
  ];
  return `${words.join(" ")};`;
}

/** `.attribute(.managed, .unified(1, 2))`, or nothing. */
export function printAttributes(attributes: readonly Attribute[]): readonly string[] {
  if (attributes.length === 0) return [];
  const each = attributes.map(({ name, arguments: values }) =>
    values.length === 0 ? `.${name.text}` : `.${name.text}(${values.map(printExpr).join(", ")})`,
  );
  return [`.attribute(${each.join(", ")})`];
}

function printVariable({ name, count, dimensions, initial }: Variable): string {
  const range = count === undefined ? "" : `<${printExpr(count)}>`;
  const value = initial === undefined ? "" : ` = ${printInitial(initial)}`;
  return name.text + range + printDimensions(dimensions) + value;
}

const printDimensions = (dimensions: readonly (Expr | undefined)[]): string =>
  dimensions.map((size) => `[${size === undefined ? "" : printExpr(size)}]`).join("");

/** `.param .u64 .ptr .global .align 16 x`. */
export function printParameter({ space, align, vector, type, pointer, name, dimensions }: Parameter): string {
  const target =
    pointer === undefined
      ? []
      : [".ptr", ...dotted(pointer.space), ...alignments(pointer.align === undefined ? [] : [pointer.align])];
  const words = [`.${space.text}`, ...alignments(align), ...dotted(vector), `.${type.text}`, ...target];
  return [...words, (name?.text ?? "_") + printDimensions(dimensions)].join(" ");
}

export function printDirective({ name, values, texts }: FunctionDirective): string {
  if (name.text === "pragma") return printPragma({ texts });
  const given = [...values, ...texts].sort((one, other) => one.start - other.start);
  const words = given.map((each) => ("kind" in each ? printExpr(each) : quoted([each])));
  return [`.${name.text}`, ...(words.length === 0 ? [] : [words.join(", ")])].join(" ");
}

export function printCallPrototype({ returns, parameters, directives }: CallPrototype): string {
  const list = (each: readonly Parameter[]): string => `(${each.map(printParameter).join(", ")})`;
  const before = returns.length === 0 ? "" : `${list(returns)} `;
  const after = directives.map((directive) => ` ${printDirective(directive)}`).join("");
  return `.callprototype ${before}_ ${list(parameters)}${after};`;
}

export const printPragma = ({ texts }: Pick<Pragma, "texts">): string => `.pragma ${quoted(texts)};`;

export const printTarget = ({ names }: Target): string => `.target ${names.map(({ text }) => text).join(", ")}`;

export function printLocation({ file, line, column, functionName, inlinedAt, intermediate }: Location): string {
  if (intermediate) return `.loc_intermediate ${file} ${line} ${column}`;
  const offset = functionName?.offset === undefined ? "" : `+${printExpr(functionName.offset)}`;
  const inside = functionName === undefined ? "" : `, function_name ${functionName.symbol.text}${offset}`;
  const at = inlinedAt === undefined ? "" : `, inlined_at ${inlinedAt.file} ${inlinedAt.line} ${inlinedAt.column}`;
  return `.loc ${file} ${line} ${column}${inside}${at}`;
}
