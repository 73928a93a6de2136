import type * as ast from "../ast.ts";

/** A file in the layout of Intel's own dumps: declarations flush left, instructions indented by four, numbers in hexadecimal. */
export function printFile({ version, kernels }: ast.File): string {
  return `.version ${version.major}.${version.minor}\n${kernels.map(printKernel).join("")}`;
}

function printKernel({ kind, name, statements }: ast.Kernel): string {
  return `.${kind === "kernel" ? "kernel" : "global_function"} "${name.text}"\n${lines(statements)}`;
}

const lines = (statements: readonly ast.Statement[]): string =>
  statements.map((statement) => `${printStatement(statement)}\n`).join("");

/** One statement without its line end; a scope takes several lines. */
export function printStatement(statement: ast.Statement): string {
  switch (statement.kind) {
    case "variable":
      return declaration(statement);
    case "predicate":
    case "address":
    case "sampler":
    case "surface":
      return flag(statement);
    case "input": {
      const size = statement.size === undefined ? "" : ` size=${statement.size}`;
      const directive = statement.implicit === undefined ? "input" : `implicit_${statement.implicit}`;
      return `.${directive} ${statement.variable.text} offset=${statement.offset}${size}`;
    }
    case "attribute":
      return `.kernel_attr ${attribute(statement)}`;
    case "label":
      return `${statement.name.text}:`;
    case "subroutine":
      return `.function "${statement.name.text}"`;
    case "scope":
      return `{\n${lines(statement.statements)}}`;
    case "remark":
      return remark(statement);
    case "instruction":
      return `    ${printInstruction(statement)}`;
  }
}

function declaration({ name, type, elements, align, alias, attributes }: ast.VariableDeclaration): string {
  const words = [`.decl ${name.text} v_type=G type=${type} num_elts=${elements}`];
  if (align !== undefined) words.push(`align=${align}`);
  if (alias !== undefined) words.push(`alias=<${alias.of.text}, ${alias.offset}>`);
  return [...words, ...attributeList(attributes)].join(" ");
}

const letters: Readonly<Record<ast.FlagDeclaration["kind"], string>> = {
  predicate: "P",
  address: "A",
  sampler: "S",
  surface: "T",
};

function flag({ kind, name, elements, label, attributes }: ast.FlagDeclaration): string {
  const words = [`.decl ${name.text} v_type=${letters[kind]} num_elts=${elements}`];
  if (label !== undefined) words.push(`v_name=${label}`);
  return [...words, ...attributeList(attributes)].join(" ");
}

const attributeList = (attributes: readonly ast.Attribute[]): readonly string[] =>
  attributes.length === 0 ? [] : [`attrs={${attributes.map(attribute).join(",")}}`];

function attribute({ name, value }: ast.Attribute): string {
  if (value === undefined) return name.text;
  return `${name.text}=${typeof value === "number" ? value : `"${value}"`}`;
}

function remark({ about, value }: ast.Remark): string {
  switch (about) {
    case "line":
      return `    LOC ${value}`;
    case "file":
      return `    FILE "${value}"`;
    case "forward declaration":
      return `.funcdecl "${value}"`;
    default:
      return `    ${about} ${value}`;
  }
}

/** An instruction in canonical form, without indentation. */
export function printInstruction({ opcode, modifiers, predicate, execution, operands }: ast.Instruction): string {
  const words: string[] = [];
  if (predicate !== undefined) {
    const { name, inverted, combine } = predicate;
    words.push(`(${inverted ? "!" : ""}${name.text}${combine === undefined ? "" : `.${combine}`})`);
  }
  const written = ({ text }: ast.Name): string => (isChannels(text, opcode.text) ? text.toUpperCase() : text);
  words.push([opcode.text, ...modifiers.map(written)].join("."));
  if (execution !== undefined) {
    const { group, noMask, size } = execution;
    words.push(ofThread.test(opcode.text) ? `(${size})` : `(M${group}${noMask ? "_NM" : ""}, ${size})`);
  }
  return [...words, ...operands.map(printOperand)].join(" ");
}

/** The number alone: it counts owords of a thread, or is the width of a message. */
const ofThread = /^(?:(?:oword|svm_block)_|(?:sample|load)$)/;

/** Channels of elements, what a fence is for, and modes of a render target are capital letters. */
const isChannels = (modifier: string, opcode: string): boolean =>
  (/^[rgba]{1,4}$/.test(modifier) && /(?:gather|scatter)4|^fence/.test(opcode)) ||
  (/^e$/.test(modifier) && /^fence/.test(opcode)) ||
  modifier.startsWith("<");

const signs: Readonly<Record<ast.Modifier, string>> = { neg: "(-)", abs: "(abs)", "neg-abs": "(-abs)", not: "(~)" };

/** An operand in canonical form. */
export function printOperand(operand: ast.Operand): string {
  switch (operand.kind) {
    case "general": {
      const { modifier, variable, row, column, region } = operand;
      return `${sign(modifier)}${variable.text}(${row},${column})${printRegion(region)}`;
    }
    case "indirect": {
      const { modifier, address, element, offset, region, type } = operand;
      return `${sign(modifier)}r[${address.text}(${element}),${offset}]${printRegion(region)}:${type}`;
    }
    case "immediate":
      return `0x${operand.bits.toString(16)}:${operand.type}`;
    case "address":
      return `${operand.name.text}(${operand.element})<${operand.count}>`;
    case "predicate":
      return `${operand.inverted ? "!" : ""}${operand.name.text}${operand.combine === undefined ? "" : `.${operand.combine}`}`;
    case "address of":
      return `&${operand.variable.text}${operand.offset === 0 ? "" : `[${operand.offset}]`}`;
    case "count":
      return operand.hex ? `0x${operand.value.toString(16)}` : `${operand.value}`;
    case "list":
      return `(${operand.operands.map(printOperand).join(", ")})`;
    case "matrix":
      return `${operand.variable.text}(${operand.row},${operand.column})`;
    case "state":
      return `${operand.name.text}(${operand.element})`;
    case "raw":
      return `${operand.variable.text}.${operand.offset}`;
    case "data": {
      const { variable, start, bits, widened = "", count, mask, transposed } = operand;
      return `${variable.text}${start === 0 ? "" : `.${start}`}:d${bits}${widened}${count === 1 ? "" : `x${count}`}${transposed ? "t" : ""}${mask === undefined ? "" : `.${mask}`}`;
    }
    case "block": {
      const { variable, bits, blocks, width, height, transposed, transformed } = operand;
      const order = `${transposed ? "t" : "n"}${transformed ? "t" : "n"}`;
      return `${variable.text}:d${bits}.${blocks === 1 ? "" : `${blocks}x`}${width}x${height}${order}`;
    }
    case "surface":
      return `${operand.model.text}[${operand.parts.map(({ text }) => text).join(",")}${operand.shift ? ` + (${operand.shift.join(",")})` : ""}]`;
    case "memory": {
      const { model, surface, scale, variable, further = [], start, offset, bits, extended = "" } = operand;
      const distance = offset === 0 ? "" : `${offset < 0 ? "-" : "+"}0x${Math.abs(offset).toString(16)}`;
      const by = typeof surface === "object" ? surface.text : surface;
      const scaled = scale === 1 ? "" : `0x${scale.toString(16)}*`;
      const from = start === 0 ? "" : `.${start}`;
      return `${model.text}${by === undefined ? "" : `(${by})`}[${scaled}${[variable, ...further].map(({ text }) => text).join(",")}${from}${distance}]:a${bits}${extended}`;
    }
    case "label":
      return operand.quoted ? `"${operand.name.text}"` : operand.name.text;
  }
}

const sign = (modifier: ast.Modifier | undefined): string => (modifier === undefined ? "" : signs[modifier]);

function printRegion({ vertical, width, horizontal }: ast.Region): string {
  if (width === undefined) return `<${horizontal}>`;
  return vertical === undefined ? `<${width},${horizontal}>` : `<${vertical};${width},${horizontal}>`;
}
