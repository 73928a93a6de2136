import { quoted } from "../../environment/quoted.ts";
import type { Kernel } from "../../host/index.ts";
import { problem } from "../../host/problem.ts";
import type { AssumedSize } from "../../interp/contract/launch/simd.ts";
import type { Program } from "../../interp/contract/program.ts";
import { specialMeantBy } from "../../isa/match/other-assemblers.ts";
import { undefinedCarry } from "../../resolve/index.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { typeBehind } from "./element-types.ts";
import type { Inputs, Missing } from "./launch-inputs.ts";

/**
 * One note with the inputs that have no value; none when all have one. A module's carry flag is no input; it has a
 * separate warning.
 */
export function missingNotes({ missing: all, assumed }: Inputs, { name, program }: Kernel): Diagnostic[] {
  const isSnippet = name === "";
  const missing = all.filter(({ kind }) => isSnippet || kind !== "carry");
  const notes = missing.length < all.length ? [...undefinedCarry(program)] : [];
  const [first] = missing;
  notes.push(...assumed.map((each) => sizeNote(each, program)));
  if (first === undefined) return notes;
  const names = missing.map((each) => each.name);
  const shown = names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : listed(names);
  const are = names.length === 1 ? "is" : "are";
  const them = names.length === 1 ? "it" : "them";
  const pointer = missing.find((each) => isPointer(each, program));
  const parameter = program.parameters.find((each) => each.name === pointer?.name);
  const type = parameter === undefined ? "f32" : typeBehind(program, parameter);
  // What a kernel reads without having written it is a mistake of its text rather than an input.
  const isUnwritten = !isSnippet && missing.every(({ kind }) => kind === "register");
  const why = isUnwritten ? `nothing writes ${them} before` : "no value was given";
  return [
    problem("PTX2205", `${shown} ${are} 0, because ${why}`, {
      severity: "note",
      source: program.source,
      span: first.span,
      help: [
        { message: `${isUnwritten ? `write ${them} first, or ` : ""}give ${them} with ${options(missing)}` },
        ...(pointer === undefined ? [] : [{ message: `a pointer takes a buffer, such as ${type}x64:iota` }]),
        ...(names.some((each) => ofProgram.has(each))
          ? [{ message: "the program that was compiled has it: --zeinfo PROGRAM.bin" }]
          : []),
        ...names.flatMap((each) => {
          const special = specialMeantBy(each);
          return special === undefined ? [] : [{ message: `${each} is written ${special} in PTX` }];
        }),
      ],
    }),
    ...notes,
  ];
}

/** Constants and variables of a program of vISA, as its `.zeinfo` calls them. */
const ofProgram: ReadonlySet<string> = new Set(["const_base", "global_base"]);

/** Whether a value is an address, or, for a parameter of 64 bits, may well be one; of vISA these are offsets. */
function isPointer({ name, kind }: Missing, { parameters, registers, code, dispatchSlot }: Program): boolean {
  if (dispatchSlot !== undefined) return false;
  if (kind === "parameter")
    return parameters.some(
      (each) => each.name === name && each.bytes === 8 && !each.aggregate && !/^f/.test(each.type),
    );
  const register = registers.find((each) => each.name === name);
  return code.some(({ operands }) =>
    operands.some(
      (each) =>
        each?.kind === "address" &&
        each.base?.bank === "q" &&
        register?.bank === "q" &&
        each.base.slot === register.slot,
    ),
  );
}

const sizeNote = ({ name, of, span }: AssumedSize, { source }: Program): Diagnostic => {
  const said = "nothing is guessed where the .zeinfo lies beside the dump, or with --zeinfo FILE";
  const message = of.startsWith("surface") ? said : `${said}; or give x, y and z: -a ${name}=64,1,1`;
  return problem("PTX2213", `${name} is taken for the ${of}, of which the text says nothing`, {
    severity: "note",
    source,
    span,
    help: [{ message }],
  });
};

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const options = (missing: readonly Missing[]): string =>
  missing
    .slice(0, 3)
    .map(({ name, kind }) =>
      kind === "parameter" ? `-a ${quoted(`${name}=VALUE`)}` : `-r ${name.replace(/^%/, "")}=VALUE`,
    )
    .join(" ");
