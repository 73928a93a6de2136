import type { Parameter } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import type { BlockNames } from "../declaration/block-names.ts";
import type { ParameterBlock } from "../declaration/kernel-parameters.ts";
import { paramVariable } from "../declaration/scope.ts";
import { type Report, reject } from "../report.ts";
import { type Load, type Mention, MentionReader } from "./mentions.ts";
import { commonType, elementsOf } from "./passed-types.ts";
import { checkCount, type InferredResult } from "./results.ts";

/** The most bytes of parameters that any kernel has (PTX ISA 5.1.6.1). */
const MOST = 32764;
/** What is passed in place of a parameter that no instruction loads. */
const WORD = 8;

/** What a snippet takes and returns as a kernel or a device function whose head is missing. */
export interface InferredHead {
  readonly parameters: ParameterBlock;
  readonly results: readonly InferredResult[];
}

/**
 * The parameters of a snippet: undeclared names that `ld.param` loads from, or whose address `cvta.param` takes, and
 * that nothing uses as a register. They come in the order of their numbers (`f_param_0`, `f_param_1`), else in that of
 * their first use. A parameter that is loaded whole has the load's type; one that is loaded in parts, or as a vector,
 * is an aggregate large enough for all of them. Its results are those that only `st.param` writes to, as in the body of
 * a device function (PTX ISA 7.1). What is too large is PTX1407.
 */
export function inferHead(
  body: ast.Block,
  namesByBlock: ReadonlyMap<ast.Block, BlockNames>,
  report: Report,
): InferredHead {
  const reader = new MentionReader(namesByBlock, report);
  reader.block(body);
  const mentions = [...reader.mentions.values()];
  return {
    parameters: parametersOf(inOrder(mentions.filter(isParameter)), report),
    results: resultsOf(inOrder(mentions.filter(isResult)), body, report),
  };
}

function parametersOf(found: readonly Mention[], report: Report): ParameterBlock {
  const parameters: Parameter[] = [];
  let bytes = 0;
  for (const mention of found) {
    const shape = shapeOf(mention.loads);
    const made = { ...shape, bytes: Math.ceil(shape.bytes / shape.align) * shape.align };
    const offset = Math.ceil(bytes / made.align) * made.align;
    if (offset + made.bytes > MOST) {
      reject(report, "PTX1407", mention.span, `${mention.name} reaches beyond what can be passed`, {
        expected: `at most ${MOST} bytes of parameters`,
        manual: "kernel-function-parameters",
      });
      break;
    }
    parameters.push({ ...made, name: mention.name, offset, span: mention.span });
    bytes = offset + made.bytes;
  }
  return { parameters, bytes };
}

function resultsOf(found: readonly Mention[], body: ast.Block, report: Report): readonly InferredResult[] {
  const results: InferredResult[] = [];
  let end = 0;
  for (const { name, span, stores } of found) {
    const { type, bytes, align, aggregate } = shapeOf(stores);
    const offset = Math.ceil(end / align) * align;
    const elements = elementsOf({ name, type, count: aggregate ? bytes : 1, bytes }, body);
    if (!checkCount(elements.count, "the snippet", span, report)) break;
    results.push({
      symbol: paramVariable({ name, type, bytes, align, offset, passes: "result", span }),
      elements,
    });
    end = offset + bytes;
  }
  return results;
}

/** A name that is loaded, or stored to by mistake, too. */
const isParameter = ({ certain, register }: Mention): boolean => certain && !register;
const isResult = ({ certain, register, stores }: Mention): boolean => !certain && !register && stores.length > 0;

/** Where all names but one end in numbers after the same word, that is the order of the declarations. */
function inOrder(mentions: readonly Mention[]): readonly Mention[] {
  const stems = [...new Set(mentions.map(({ name }) => split(name).stem))];
  const key = ({ name }: Mention): readonly [number, number] => [stems.indexOf(split(name).stem), split(name).number];
  return [...mentions].sort((one, two) => key(one)[0] - key(two)[0] || key(one)[1] - key(two)[1]);
}

/** `f_param_12` as `f_param_` and 12. */
function split(name: string): { readonly stem: string; readonly number: number } {
  let cut = name.length;
  while (cut > 0 && /\d/.test(name.charAt(cut - 1))) cut--;
  return { stem: name.slice(0, cut), number: Number(name.slice(cut)) };
}

function shapeOf(loads: readonly Load[]): Pick<Parameter, "type" | "bytes" | "align" | "aggregate"> {
  const [first] = loads;
  if (!first) return { type: "b64", bytes: WORD, align: WORD, aggregate: false };
  const { bytes } = first;
  const whole = bytes <= 8;
  if (whole && loads.every((each) => each.offset === 0 && each.count === 1 && each.bytes === bytes))
    return { type: commonType(loads.map(({ type }) => type)), bytes, align: bytes, aggregate: false };
  const align = Math.max(...loads.map((each) => each.bytes * each.count));
  const end = Math.max(...loads.map((each) => each.offset + each.bytes * each.count));
  return { type: "b8", bytes: end, align, aggregate: true };
}
