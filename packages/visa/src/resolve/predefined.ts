import type { Type } from "../ast.ts";

/** A predefined variable; in text it is %name, or V and its number. */
export interface Predefined {
  readonly name: string;
  readonly type: Type;
  readonly elements: number;
  readonly writable: boolean;
}

const one = (name: string, type: Type, elements: number, writable = false): Predefined => ({
  name: `%${name}`,
  type,
  elements,
  writable,
});

/** In the order of their numbers (S/include/visa_igc_common_header.h). */
export const predefined: readonly Predefined[] = [
  one("null", "ud", 256, true),
  one("thread_x", "uw", 1),
  one("thread_y", "uw", 1),
  one("group_id_x", "ud", 1),
  one("group_id_y", "ud", 1),
  one("group_id_z", "ud", 1),
  one("tsc", "ud", 5),
  one("r0", "ud", 8),
  one("arg", "ud", 256, true),
  one("retval", "ud", 96, true),
  one("sp", "uq", 1, true),
  one("fp", "uq", 1, true),
  one("hw_id", "ud", 1),
  one("sr0", "ud", 4, true),
  one("cr0", "ud", 3, true),
  one("ce0", "ud", 1),
  one("dbg0", "ud", 2, true),
  one("color", "uw", 1),
  one("impl_arg_buf_ptr", "uq", 1),
  one("local_id_buf_ptr", "uq", 1),
  one("msg0", "ud", 3, true),
  one("scratchloc", "uq", 1),
];

const byName: ReadonlyMap<string, Predefined> = new Map([
  ...predefined.map((each): [string, Predefined] => [each.name, each]),
  ...predefined.map((each, at): [string, Predefined] => [`V${at}`, each]),
]);

export const predefinedNamed = (name: string): Predefined | undefined => byName.get(name);
