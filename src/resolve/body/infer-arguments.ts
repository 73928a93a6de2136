import type * as ast from "../../parser/ast.ts";
import type { BlockNames } from "../declaration/block-names.ts";
import { paramVariable } from "../declaration/scope.ts";
import type { LocalArea } from "../declaration/windows.ts";
import { nameIn } from "../module/names-in.ts";
import type { Signature } from "../module/signature.ts";

interface Place {
  readonly type: string;
  readonly bytes: number;
  readonly align: number;
}

/**
 * Declares the `.param` variables in which a block passes arguments and takes results without declaring them (`param0`,
 * `retval0`): as large as the function's own, or, of a function that is not known, as what is stored and loaded.
 */
export function inferArguments(
  block: ast.Block,
  namesByBlock: ReadonlyMap<ast.Block, BlockNames>,
  local: LocalArea,
  signature: (name: string) => Signature | undefined,
): void {
  const places = new Map<string, Place>();
  const passed = new Set<string>();
  for (const statement of block.statements) {
    if (statement.kind === "block") inferArguments(statement, namesByBlock, local, signature);
    if (statement.kind !== "instruction") continue;
    if (statement.mnemonic.text === "call") fromCall(statement, signature, passed, places);
    else if (statement.modifiers[0]?.text.startsWith("param")) fromAccess(statement, places);
  }
  const blockNames = namesByBlock.get(block);
  for (const name of passed) {
    const place = places.get(name);
    if (!place || !blockNames || blockNames.find(name, Number.POSITIVE_INFINITY)) continue;
    const { type, bytes, align } = place;
    const offset = local.place(bytes, align);
    const framed = local.framed ? { framed: true as const } : {};
    const span = { start: block.start, end: block.start + 1 };
    blockNames.declare(paramVariable({ name, type, bytes, align, offset, passes: "argument", ...framed, span }));
  }
}

/** Notes what a call passes by name; a function that is known says how large it is. */
function fromCall(
  { operands }: ast.Instruction,
  signature: (name: string) => Signature | undefined,
  passed: Set<string>,
  places: Map<string, Place>,
): void {
  const [first, ...others] = operands;
  const results = first?.kind === "list" ? first : undefined;
  const [callee, list] = results ? others : operands;
  const known = callee?.kind === "name" ? signature(callee.name.text) : undefined;
  for (const [given, formals] of [
    [results, known?.results],
    [list, known?.parameters],
  ] as const) {
    if (given?.kind !== "list") continue;
    for (const [index, operand] of given.items.entries()) {
      if (operand.kind !== "name" || operand.component || operand.name.text.startsWith("%")) continue;
      passed.add(operand.name.text);
      const formal = formals?.[index];
      if (formal?.space === "param" && formal.bytes !== undefined)
        places.set(operand.name.text, { type: formal.type, bytes: formal.bytes, align: formal.align });
    }
  }
}

/** `st.param.v2.b32 [param0+8], ...` reaches to byte 16. */
function fromAccess({ modifiers, operands }: ast.Instruction, places: Map<string, Place>): void {
  const at = operands.find(({ kind }) => kind === "address");
  const name = at && nameIn(at)?.text;
  if (at?.kind !== "address" || name === undefined) return;
  const bits = Number(/^[a-z]+(\d+)$/.exec(modifiers.at(-1)?.text ?? "")?.[1] ?? 0);
  const elements = modifiers.some(({ text }) => text === "v4")
    ? 4
    : modifiers.some(({ text }) => text === "v2")
      ? 2
      : 1;
  const { base } = at;
  const offset =
    base.kind === "expr" && base.value.kind === "binary" && base.value.right.kind === "integer"
      ? Number(base.value.right.text)
      : 0;
  const before = places.get(name);
  const end = offset + (bits / 8) * elements;
  if (bits < 8 || !(end < 2 ** 16)) return;
  const bytes = Math.max(before?.bytes ?? 0, end);
  places.set(name, { type: `b${bits}`, bytes, align: Math.max(before?.align ?? 1, (bits / 8) * elements) });
}
