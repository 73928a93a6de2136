import type { Form, ModifierValues } from "../../../../src/isa/index.ts";
import type { PatternPlace } from "../patterns.ts";
import type { Spelling } from "../spelling.ts";

/** Where the lines of a protocol stand. */
export interface ProtocolPlace extends PatternPlace {
  /** `sm_90a` */
  readonly target: string;
  /** The launch is one cluster of two blocks. */
  readonly paired: boolean;
}

/** Instructions that mean something only among others, which the lines around them give. */
export interface Protocol {
  readonly draws: (form: Form) => boolean;
  /** Which of a form's spellings fit the place. */
  readonly fits?: (mods: ModifierValues, name: string, place: ProtocolPlace) => boolean;
  /** The instruction among those that it needs; undefined where the place has no room for them. */
  readonly lines: (spelling: Spelling, place: ProtocolPlace) => readonly string[] | undefined;
  /** Threads of a block in which the protocol has work for all, where not any number will do. */
  readonly threads?: readonly number[];
  /** How often it is about two blocks of a cluster, percent. */
  readonly pairs?: number;
}

/** Gives `%lw` to the thread of a block that begins what one thread begins. */
export const elected = (t: string): string => `setp.eq.u32 %lw, ${t}, 0;`;

/** Waits until the phase of an mbarrier object ends that is its first. */
export const waited = (object: string, again: string): readonly string[] => [
  `${again}:`,
  `mbarrier.try_wait.parity.shared.b64 %lw, [${object}], 0;`,
  `@!%lw bra ${again};`,
];
