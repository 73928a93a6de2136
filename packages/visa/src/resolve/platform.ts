/** A platform: it determines what is accepted, and sizes. */
export interface Platform {
  readonly name: string;
  /** Bytes of a register. */
  readonly grf: 32 | 64;
  /** Elements of type bf. */
  readonly bf: boolean;
  /** Immediates of type vf. */
  readonly vf: boolean;
}

const platform = (name: string, grf: 32 | 64, bf: boolean, vf: boolean): Platform => ({ name, grf, bf, vf });

/** By their names in Intel's tools. */
export const platforms: readonly Platform[] = [
  platform("SKL", 32, false, true),
  platform("ICLLP", 32, false, true),
  platform("TGLLP", 32, false, true),
  platform("XEHP", 32, true, true),
  platform("DG2", 32, true, true),
  platform("MTL", 32, false, true),
  platform("PVC", 64, true, true),
  platform("XE2", 64, true, false),
  platform("XE3", 64, true, false),
];

/** Registers of 32 bytes, and every type. */
export const usual: Platform = platform("DG2", 32, true, true);

/** Whether a line declares a view of the whole first register of a thread, as Intel's compiler does: 64 bytes of it. */
const isLongHeader = (line: string): boolean =>
  line.includes("alias=<%r0,") && /\btype=u?d num_elts=16\b/.test(line) && /<%r0, ?0>/.test(line);

/** The platform of a text without a named one: one with registers of 64 bytes where the text's %r0 is that large. */
export const platformOf = (text: string): Platform =>
  (text.split("\n").some(isLongHeader) && platformNamed("PVC")) || usual;

export const platformNamed = (name: string): Platform | undefined =>
  platforms.find((each) => each.name === name.toUpperCase());
