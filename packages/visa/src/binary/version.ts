/** A version of the object format: 4.1 is { major: 4, minor: 1 }. */
export interface ObjectVersion {
  readonly major: number;
  readonly minor: number;
}

/** The versions that have a binary form here, oldest first. Before 3.4 indices were narrower; 4.2 has no objects. */
export const objectVersions: readonly string[] = ["3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4.0", "4.1"];

export const newest: ObjectVersion = { major: 4, minor: 1 };

export const isObjectVersion = ({ major, minor }: ObjectVersion): boolean =>
  objectVersions.includes(`${major}.${minor}`);

/** The version that `3.6` spells. Throws for what is not in `objectVersions`. */
export function objectVersion(text: string): ObjectVersion {
  if (!objectVersions.includes(text)) throw new Error(`no object version ${text}`);
  const [major = 0, minor = 0] = text.split(".").map(Number);
  return { major, minor };
}

const before = (version: ObjectVersion, major: number, minor: number): boolean =>
  version.major < major || (version.major === major && version.minor < minor);

/** Bytes of the length in front of a name in the file's header. */
export const bytesOfNameLength = (version: ObjectVersion): 1 | 2 => (before(version, 3, 7) ? 1 : 2);

/** Bytes of a kernel's count of inputs. */
export const bytesOfInputCount = (version: ObjectVersion): 1 | 4 => (before(version, 3, 5) ? 1 : 4);
