import type { DebugProtocol } from "@vscode/debugprotocol";
import { readsCarry, writesCarry } from "../../../src/interp/contract/plan/effects.ts";
import type { HostSpace } from "../../../src/interp/contract/space.ts";
import { spaceOf } from "../../../src/interp/contract/window.ts";
import { values, write } from "../console/assign.ts";
import { scopeOf } from "../console/expression/evaluation.ts";
import { Refusal, whole } from "../console/expression/refusal.ts";
import { targetOf } from "../console/expression/target.ts";
import { widthIn } from "../console/expression/value.ts";
import { show } from "../console/show/format.ts";
import type { Debuggee } from "./debuggee.ts";
import { placeText } from "./memory.ts";
import type { Children, LookedAt, References, Shown } from "./variables.ts";

/** Special registers that are shown; the others can be evaluated by name. */
const SPECIALS = [
  "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z",
  "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%warpid", "%nwarpid", "%smid", "%gridid",
]; // biome-ignore format: a list of names

/** The groups of values of a frame, each computed when the user opens it. */
export function scopesOf(debuggee: Debuggee, at: LookedAt, references: References): DebugProtocol.Scope[] {
  const scope = (name: string, children: Children, more: Partial<DebugProtocol.Scope> = {}): DebugProtocol.Scope => ({
    name,
    variablesReference: references.add(children),
    expensive: false,
    ...(children.named !== undefined && { namedVariables: children.named }),
    ...more,
  });
  const memory = memoryOf(debuggee);
  const within = (space: string): Children =>
    listOf(() => memory.filter((each) => each.space === space).map((each) => area(debuggee, each)));
  const scopes = [
    scope("Registers", registersOf(debuggee, at), { presentationHint: "registers" }),
    scope(
      "Special registers",
      listOf(() => SPECIALS.map((name) => ({ ...worth(debuggee, name), children: lanesOf(debuggee, name) }))),
    ),
  ];
  for (const [name, space] of [
    ["Parameters", "param"],
    ["Buffers and global memory", "global"],
    ["Constants", "const"],
    ["Shared memory", "shared"],
    ["Local memory", "local"],
  ] as const)
    if (memory.some((each) => each.space === space)) scopes.push(scope(name, within(space)));
  return scopes;
}

/** A list of values that is recomputed each time the user opens it. */
const listOf = (make: () => readonly Shown[]): Children => ({
  list: (start, count) => make().slice(start, start + count),
});

/** An expression, with its value, or why it has none. */
export function worth(debuggee: Debuggee, text: string, name: string = text): Shown {
  try {
    const value = debuggee.value(text);
    return { name, value: show(value), type: value.type, expression: text };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { name, value: `<${error.diagnostics[0]?.message ?? "no value"}>` };
  }
}

/** The registers of a frame, those that the last step has changed first; below each its value in all lanes. */
function registersOf(debuggee: Debuggee, { thread }: LookedAt): Children {
  const { shell } = debuggee;
  const { code } = debuggee.debugger.session.program;
  const carries = code.some(({ plan }) => readsCarry(plan) || writesCarry(plan));
  const scope = scopeOf(shell, thread);
  const all = debuggee.debugger.registers(thread, scope);
  const ordered = [...all.filter(({ changed }) => changed), ...all.filter(({ changed }) => !changed)];
  const carry = carries ? ["cc.cf"] : [];
  const carryChanged = carries && debuggee.debugger.carryChanged(thread);
  const names = ordered.map(({ name }) => name);
  return {
    named: all.length + carry.length,
    list(start, many) {
      return (carryChanged ? [...carry, ...names] : [...names, ...carry]).slice(start, start + many).map((name) => {
        const register = all.find((each) => each.name === name);
        const shown =
          register !== undefined && register.bits.length > 1
            ? { name, value: vector(register.bits, register.type), type: register.type, expression: name }
            : worth(debuggee, name);
        const changed = register?.changed ?? carryChanged;
        return { ...shown, ...(changed && { value: `${shown.value}  (changed)` }), children: lanesOf(debuggee, name) };
      });
    },
    set: (name, text) => assign(debuggee, name, text),
    watched: (name) => name,
  };
}

const vector = (bits: readonly bigint[], type: string): string =>
  `{${bits.map((each) => show({ bits: each, type })).join(", ")}}`;

/** The lanes of the focused warp as one array. */
export function lanesOf(debuggee: Debuggee, text: string): Children {
  const { block, warp } = debuggee.debugger.focus;
  return {
    indexed: 32,
    list: (start, count) =>
      Array.from({ length: Math.max(0, Math.min(count, 32 - start)) }, (_, index): Shown => {
        const lane = start + index;
        const name = `[${lane}]`;
        if (!debuggee.debugger.machine.exists({ block, warp, lane })) return { name, value: "no thread" };
        try {
          const value = debuggee.shell.expression(whole("expression", text)).at(debuggee.shell, { block, warp, lane });
          return { name, value: show(value), type: value.type };
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return { name, value: `<${error.diagnostics[0]?.message ?? "no value"}>` };
        }
      }),
    set(index, value) {
      const { debugger: debugger_ } = debuggee;
      const { focus } = debugger_;
      debugger_.focus = { block, warp, lane: numberIn(index) };
      try {
        return { ...assign(debuggee, text, value), name: index };
      } finally {
        debugger_.focus = focus;
      }
    },
  };
}

/** Memory that has a name. */
interface Area {
  readonly name: string;
  readonly space: HostSpace;
  readonly address: bigint;
  readonly bytes: number;
  readonly type: string;
}

function memoryOf({ shell }: Debuggee): readonly Area[] {
  const { inputs, loaded } = shell.subject.footing;
  const { program } = loaded.kernel;
  const own = inputs.buffers.map(
    ({ name, type, buffer }): Area => ({ name, space: "global", address: buffer.address, bytes: buffer.bytes, type }),
  );
  const ofModule = (loaded.module?.variables ?? []).flatMap((name): Area[] => {
    const variable = loaded.module?.variable(name);
    if (variable === undefined || own.some((each) => each.address === variable.address)) return [];
    const space = spaceOf(variable.address) ?? "global";
    return [
      { name, space, address: variable.address, bytes: variable.bytes, type: loaded.module?.typeOf(name) ?? "b8" },
    ];
  });
  const parameters = program.parameters.map(
    ({ name, offset, bytes, type, aggregate }): Area => ({
      name,
      space: "param",
      address: BigInt(offset),
      bytes,
      type: aggregate ? "b8" : type,
    }),
  );
  const windowed = program.variables.map(
    ({ name, space, offset, bytes, type }): Area => ({ name, space, address: BigInt(offset), bytes, type }),
  );
  return [...parameters, ...own, ...ofModule, ...windowed];
}

/** Memory as one value: an element, or an array of them. */
function area(debuggee: Debuggee, { name, space, address, bytes, type }: Area): Shown {
  const size = Math.max(1, widthIn(type) / 8);
  const count = Math.floor(bytes / size);
  const element = (index: number): string => `[${space}:0x${(address + BigInt(index * size)).toString(16)}]:${type}`;
  const memory = placeText(space, address);
  if (count <= 1) return { ...worth(debuggee, element(0), name), memory };
  const children: Children = {
    indexed: count,
    list: (start, many) =>
      Array.from({ length: Math.max(0, Math.min(many, count - start)) }, (_, index) =>
        worth(debuggee, element(start + index), `[${start + index}]`),
      ),
    set: (index, text) => ({ ...assign(debuggee, element(numberIn(index)), text), name: index }),
    watched: (index) => element(numberIn(index)),
  };
  return { name, value: `${type}[${count}]`, type: `${type}[${count}]`, memory, children };
}

const numberIn = (index: string): number => Number(/\d+/.exec(index)?.[0] ?? 0);

/** `7 (u32 0x00000007)  (changed)`, which is how editors offer a value to be edited, is 7. */
const withoutWorking = (value: string): string =>
  /^\s*(\S+) \([a-z]\w* 0x[0-9a-f]+\)(?: {2}\(changed\))?\s*$/.exec(value)?.[1] ?? value.trim();

/** Assigns a value to what an expression names, as `set` of the REPL does, and returns the new value. */
export function assign(debuggee: Debuggee, text: string, value: string): Shown {
  const { shell } = debuggee;
  const right = whole("value", withoutWorking(value));
  const place = targetOf(shell.expression(whole("expression", text)), shell);
  const elements = place.register?.element === undefined ? (place.register?.of.elements ?? 1) : 1;
  write(shell.debugger, place, values(shell, right, place.type, elements), right);
  return worth(debuggee, text);
}
