import { written } from "../instruction.ts";
import { classesOf, type Spelling } from "../spelling.ts";
import { elected, type Protocol, type ProtocolPlace } from "./protocol.ts";

/** An object that is new, an arrival of everybody, and the instruction before or behind it. */
function lines(spelling: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, pointers, threads, together, target } = place;
  const { name } = spelling;
  if (!together && random.chance(90)) return undefined;
  const [object, t] = [pointers.use("mb"), pointers.use("t")];
  const classes = classesOf(spelling);
  const mask = classes.mask?.kind === "register" && classes.mask.bits === 16 ? "%mk" : "%a32";
  const once = /inval|init|expect_tx|complete_tx|arrive|multicast/.test(name);
  const count = random.chance(70) ? threads : threads + 1 + random.below(8);
  const operands = {
    a: `[${object}]`,
    mask,
    parity: `${random.below(2)}`,
    ...(classes.n?.kind === "register" && {
      n: name.includes("_tx") ? `${16 * random.below(8)}` : `${1 + random.below(2)}`,
    }),
    ...(classes.state?.kind === "register" && classes.state.access === "read" && { state: "%a64" }),
    ...(classes.limit && { limit: `${random.below(40)}` }),
  };
  const guard = once && random.chance(75) ? "@%lw " : "";
  const middle = written(spelling, { random, pointers, together, target }, { operands, guard });
  if (middle === undefined) return undefined;
  const arrival = `mbarrier.arrive.shared.b64 %a64, [${object}];`;
  return [
    elected(t),
    `@%lw mbarrier.init.shared.b64 [${object}], ${count};`,
    "bar.sync 0;",
    ...(random.chance(80) ? [arrival] : []),
    ...(mask === "%mk" ? ["mov.b16 %mk, 1;"] : classes.mask === undefined ? [] : ["mov.b32 %a32, 1;"]),
    elected(t),
    ...middle,
    ...(random.chance(20) ? middle : []),
    "bar.sync 0;",
    elected(t),
    ...(name.includes("inval") ? [] : [`@%lw mbarrier.inval.shared.b64 [${object}];`]),
  ];
}

export const mbarriers: Protocol = {
  draws: ({ mnemonic, syntax }) => mnemonic === "mbarrier" || syntax.startsWith("cp.async.mbarrier"),
  lines,
};
