import type { VectorFunctions } from "../../../numeric/vector/function-set.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import type { Constant } from "../../contract/constant.ts";
import type { Liveness, RegisterKey } from "../../contract/liveness.ts";
import type { Program } from "../../contract/program.ts";
import type { layout } from "../../state/warp.ts";
import type { LateFunctions } from "../boundary/late-layout.ts";
import type { CopyFunctions } from "../copies/copy-code.ts";
import type { JudgeFunctions } from "../judging/judge-code.ts";
import type { MultiplyFunctions } from "../matrix/multiply-code.ts";
import type { GroupFunctions } from "../round-robin/group-code.ts";
import type { RegisterForms } from "../segment/lane-forms.ts";
import type { AccessGroup, Audience } from "../segment/segment.ts";
import type { CallSite } from "./call-site.ts";

/** What the code of all blocks has in common. */
export interface Surroundings {
  readonly program: Program;
  readonly module: ModuleWriter;
  readonly functions: VectorFunctions;
  readonly groups: GroupFunctions;
  /** Lanes of a warp, a multiple of four. */
  readonly lanes: number;
  readonly layout: ReturnType<typeof layout>;
  /** Undefined if an observer may look at registers and at what has been executed. */
  readonly liveness: Liveness | undefined;
  /** Registers that hold what is loaded into them before it is: nothing stores it. Empty without `liveness`. */
  readonly held: ReadonlySet<RegisterKey>;
  /** A function of `scan-code.ts`. */
  readonly above: number;
  /** What is known of registers wherever they are read. */
  readonly forms: RegisterForms;
  /** Slots that hold a number of the program's text whenever they are read. */
  readonly constants: readonly Constant[];
  /** By pc: the block that begins there, or -1. */
  readonly entries: Int32Array;
  /**
   * Imported functions: (from, to, start, executed, active) and (pc, start, executed, active) execute steps in JavaScript;
   * (range, address) learns of clean memory; (address, bytes) fills in the shadow of local memory.
   */
  readonly redo: number;
  readonly step: number;
  readonly learn: number;
  readonly know: number;
  /**
   * If memory is observed: (pc, lanes, start, executed, active) notifies observers of an access whose addresses are in
   * the state, (pc, lanes, start, executed) of lanes that have executed a warp operation together.
   */
  readonly audience: Audience;
  readonly notify: number | undefined;
  readonly met: number | undefined;
  /** Lets observers be notified late; the number of an instruction whose accesses may be late, if it has one. */
  readonly late: LateFunctions | undefined;
  readonly lateOf: (pc: number) => number | undefined;
  /** Judges those accesses; undefined where none is late. */
  readonly judges: JudgeFunctions | undefined;
  readonly products: MultiplyFunctions;
  readonly copies: CopyFunctions;
  /** The block behind each call. */
  readonly landings: ReadonlyMap<CallSite, number>;
  /** Whether the module becomes C. */
  readonly native: boolean;
  /** Bytes from data to shadow. */
  readonly distance: number;
  readonly rangeOf: (group: AccessGroup) => number;
}
