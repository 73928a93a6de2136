/** A platform: it decides what is accepted, and sizes. */
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

/** The default: registers of 32 bytes, and every type. */
export const usual: Platform = platform("DG2", 32, true, true);

export const platformNamed = (name: string): Platform | undefined =>
  platforms.find((each) => each.name === name.toUpperCase());
