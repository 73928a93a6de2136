import { isElementType } from "../../host/memory/element.ts";
import type { Parameter, Program } from "../../interp/contract/program.ts";
import type { Diagnostic, Help } from "../../source/diagnostic.ts";
import type { Assignment } from "../value/assignment.ts";
import { typeBehind } from "./element-types.ts";

/** True for a parameter that may hold an address. */
const holdsAddress = ({ bytes, type }: Parameter): boolean => bytes === 8 && /^[bsu]64$/.test(type);

/** A problem with a value, together with the parameter that it was for, and what that parameter takes. */
export function explainArgument(
  diagnostic: Diagnostic,
  parameter: Parameter,
  program: Program,
  assignment: Assignment,
): Diagnostic {
  const { name, type, span } = parameter;
  const is = `parameter ${program.parameters.indexOf(parameter)} of ${program.name}, ${name}, is .${type}`;
  const pointer = holdsAddress(parameter) && assignment.type === undefined;
  const help = wayOut(parameter, program, assignment);
  const isWord = diagnostic.code === "PTX2101" && pointer;
  const { value } = assignment;
  const isList = pointer && /^[[({]|,/.test(value.text) && help?.replace !== undefined;
  return {
    ...diagnostic,
    ...(isList && { message: `${value.text} is not one value`, span: value.span }),
    ...((isWord || isList) && {
      expected: `a buffer such as ${elementType(parameter, program)}x4:fill=0, a whole number, or 0x.. for an address`,
    }),
    related: [...(diagnostic.related ?? []), { source: program.source, span, message: is }],
    ...(help && { help: [...(diagnostic.help ?? []), help] }),
  };
}

/** What the kernel takes the elements behind a pointer for; a float of that width where one of the `items` is a fraction. */
function elementType(parameter: Parameter, program: Program, items: readonly string[] = []): string {
  const type = typeBehind(program, parameter);
  const isFraction = items.some((item) => /^[^x]*[.e]/i.test(item));
  const float = `f${type.slice(1)}`;
  return isFraction && !type.includes("f") && isElementType(float) ? float : type;
}

function wayOut(
  parameter: Parameter,
  program: Program,
  { value: { text, span }, name, type }: Assignment,
): Help | undefined {
  if (type !== undefined) return undefined;
  const write = (meant: string): Help => ({
    message: `write ${name.text === "" ? "" : `${name.text}=`}${meant}`,
    replace: { span, text: meant },
  });
  const items = text
    .replace(/^[[({]|[\])}]$/g, "")
    .split(",")
    .map((item) => item.trim());
  const numbers = items.every((item) => /^[-+]?(?:\d[\w.]*|\.\d+)$/.test(item));
  if (holdsAddress(parameter) && numbers && (items.length > 1 || /^[[({]/.test(text)))
    return write(`${elementType(parameter, program, items)}x${items.length}:${items.join(",")}`);
  const array = /^([a-z]+\d+)\[(\d+)\]$/.exec(text);
  if (array !== null) return write(`${array[1]}x${array[2]}`);
  const [before = "", ...after] = text.split(":");
  if (after.length > 0 && program.parameters.some((each) => each.name === before))
    return { message: `write ${before}=${after.join(":")}` };
  if (program.parameters.some((each) => each.name === text && each !== parameter)) return write(`=${text}`);
  return undefined;
}
