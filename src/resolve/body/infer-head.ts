import type { Parameter } from "../../interp/contract/program.ts";
import type { OperandClass, RegisterClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import type { Span } from "../../source/source.ts";
import { evaluate } from "../constant/constant.ts";
import { type BlockNames, spanOf } from "../declaration/block-names.ts";
import type { ParameterBlock } from "../declaration/kernel-parameters.ts";
import { paramVariable } from "../declaration/scope.ts";
import { isSpecial } from "../instruction/operand/special-register.ts";
import { type Report, reject } from "../report.ts";
import { operandClasses } from "./operand-classes.ts";
import { commonType, elementsOf } from "./passed-types.ts";
import { checkCount, type InferredResult } from "./results.ts";

/** `ld.param.v2.f32 {a, b}, [name+8]`, or `st.param` to there: two elements of 4 bytes at 8. */
interface Load {
  readonly offset: number;
  readonly type: string;
  readonly bytes: number;
  readonly count: number;
}

/** The uses of one undeclared name in a snippet. */
interface Mention {
  readonly name: string;
  readonly span: Span;
  readonly loads: Load[];
  /** What `st.param` writes to it. */
  readonly stores: Load[];
  /** It is loaded from, or its address taken, as only that of a parameter is. */
  certain: boolean;
  /** It is written, or read as a value, and is a register. */
  register: boolean;
}

/** A name and its offset. */
interface Sum {
  readonly name: ast.Name;
  readonly offset: number;
}

/** Collects the uses of the undeclared names of a body. */
class MentionReader {
  readonly mentions: Map<string, Mention> = new Map();
  readonly #namesByBlock: ReadonlyMap<ast.Block, BlockNames>;
  /** Registers that contain the address of a name, put there by `mov` and `cvta`. */
  readonly #pointers = new Map<string, Sum>();
  readonly #silent: Report;

  constructor(namesByBlock: ReadonlyMap<ast.Block, BlockNames>, { source }: Report) {
    this.#namesByBlock = namesByBlock;
    this.#silent = { source, diagnose: () => undefined };
  }

  block(block: ast.Block): void {
    const blockNames = this.#namesByBlock.get(block);
    for (const statement of block.statements) {
      if (statement.kind === "block") this.block(statement);
      if (statement.kind === "instruction") this.#instruction(statement, blockNames);
    }
  }

  #instruction(instruction: ast.Instruction, blockNames: BlockNames | undefined): void {
    const lookup = (name: string) => blockNames?.find(name, instruction.start);
    const classed = [...operandClasses(instruction, { lookup })];
    const data = classed.find(({ wanted }) => wanted.kind === "register" || wanted.kind === "vector")?.wanted;
    const declared = ({ text }: ast.Name): boolean =>
      text === "_" || text === "WARP_SZ" || isSpecial(text) || !!blockNames?.find(text, Number.POSITIVE_INFINITY);
    let pointer: Sum | undefined;
    let target: string | undefined;
    for (const { operand, wanted } of classed) {
      const sum = sumIn(operand.kind === "address" ? operand.base : operand, this.#silent);
      if (wanted.kind === "address") {
        if (sum && instruction.mnemonic.text === "st" && wanted.space === "param") {
          if (!this.#pointers.has(sum.name.text) && !declared(sum.name))
            record(this.#mention(sum.name).stores, sum.offset, data);
        } else if (sum) this.#access(sum, wanted.space, data, declared(sum.name));
        continue;
      }
      if (sum && wanted.kind === "register" && wanted.symbol && /^(mov|cvta)$/.test(instruction.mnemonic.text)) {
        pointer = this.#pointers.get(sum.name.text) ?? sum;
        if (sum === pointer && !declared(sum.name)) this.#address(sum.name, wanted);
        continue;
      }
      if (wanted.kind === "register" && wanted.access === "write" && sum) target = sum.name.text;
      for (const name of namesIn(operand, this.#silent)) if (!declared(name)) this.#mention(name).register = true;
    }
    if (target === undefined) return;
    if (pointer) this.#pointers.set(target, pointer);
    else this.#pointers.delete(target);
  }

  #mention(name: ast.Name): Mention {
    const known = this.mentions.get(name.text);
    if (known) return known;
    const made = { name: name.text, span: spanOf(name), loads: [], stores: [], certain: false, register: false };
    this.mentions.set(name.text, made);
    return made;
  }

  /** An access to `[name+offset]`, or through a register that holds the address of a name. */
  #access(sum: Sum, space: string, data: OperandClass | undefined, declared: boolean): void {
    const pointer = this.#pointers.get(sum.name.text);
    const mention = pointer ? this.mentions.get(pointer.name.text) : declared ? undefined : this.#mention(sum.name);
    if (!mention) return;
    if (space === "param") mention.certain = true;
    // A generic access through a pointer gives the size of the parameter, but does not prove that
    // there is one.
    if (space === "param" || (pointer && space === "generic"))
      record(mention.loads, (pointer?.offset ?? 0) + sum.offset, data);
    else if (!pointer) mention.register = true;
  }

  /** `mov.b64 r, name` may name a register, too, unless the name is one that compilers give to parameters. */
  #address(name: ast.Name, { space }: RegisterClass): void {
    if (space === "param" || /_param_\d+$/.test(name.text)) this.#mention(name).certain = true;
    else this.#mention(name);
  }
}

function record(list: Load[], offset: number, data: OperandClass | undefined): void {
  if (offset < 0) return;
  if (data?.kind === "register") list.push({ offset, ...element(data), count: 1 });
  else if (data?.kind === "vector") list.push({ offset, ...element(data.of), count: data.count });
}

const element = ({ type, bits }: RegisterClass) => ({ type, bytes: bits / 8 });

/** `name`, `name+4`; nothing for other operands. */
function sumIn(operand: ast.Operand, silent: Report): Sum | undefined {
  if (operand.kind === "name") return operand.component ? undefined : { name: operand.name, offset: 0 };
  if (operand.kind !== "expr") return undefined;
  let name: ast.Name | undefined;
  for (let first = operand.value; ; ) {
    if (first.kind === "binary") first = first.left;
    else {
      if (first.kind === "symbol" && !first.component) name = first.name;
      break;
    }
  }
  if (!name) return undefined;
  const value = evaluate(operand.value, silent);
  return value?.kind === "address" && value.mask === undefined ? { name, offset: Number(value.offset) } : undefined;
}

/** Every name in an operand. */
function* namesIn(operand: ast.Operand, silent: Report): Iterable<ast.Name> {
  if (operand.kind === "name") yield operand.name;
  else if (operand.kind === "vector" || operand.kind === "list")
    for (const item of operand.items) yield* namesIn(item, silent);
  else if (operand.kind === "expr") {
    const sum = sumIn(operand, silent);
    if (sum) yield sum.name;
  }
}

/** The most bytes of parameters that any kernel has (PTX ISA 5.1.6.1). */
const MAX_PARAMETER_BYTES = 32764;
/** The type of a parameter that no instruction loads. */
const WORD = 8;

/** The parameters and results of a snippet as a kernel or a device function whose head is missing. */
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
    if (offset + made.bytes > MAX_PARAMETER_BYTES) {
      reject(report, "PTX1407", mention.span, `${mention.name} reaches beyond what can be passed`, {
        expected: `at most ${MAX_PARAMETER_BYTES} bytes of parameters`,
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
