import type { Parameter, Program } from "../../interp/contract/program.ts";
import type { Diagnostic, Help } from "../../source/diagnostic.ts";
import type { Assignment } from "../value/assignment.ts";

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
  const index = program.parameters.indexOf(parameter) + 1;
  const is = `${name}, parameter ${index} of ${program.name}, is .${type}`;
  const pointer = holdsAddress(parameter) && assignment.type === undefined;
  const help = wayOut(parameter, program, assignment);
  const isWord = diagnostic.code === "PTX2101" && pointer;
  const { value } = assignment;
  const isList = pointer && /^[[({]|,/.test(value.text) && help?.replace?.text.startsWith("f32x");
  return {
    ...diagnostic,
    ...(isList && { message: `${value.text} is not one value`, span: value.span }),
    ...((isWord || isList) && { expected: "a buffer such as f32x4:fill=0, a whole number, or 0x.. for an address" }),
    related: [...(diagnostic.related ?? []), { source: program.source, span, message: is }],
    ...(help && { help: [...(diagnostic.help ?? []), help] }),
  };
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
    return write(`f32x${items.length}:${items.join(",")}`);
  const array = /^([a-z]+\d+)\[(\d+)\]$/.exec(text);
  if (array !== null) return write(`${array[1]}x${array[2]}`);
  const [before = "", ...after] = text.split(":");
  if (after.length > 0 && program.parameters.some((each) => each.name === before))
    return { message: `write ${before}=${after.join(":")}` };
  if (program.parameters.some((each) => each.name === text && each !== parameter)) return write(`=${text}`);
  return undefined;
}
