import { constants as access, accessSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/** The path of the first of some programs that is there and can be run, as a shell would find it on a PATH. */
export function findProgram(names: readonly string[], path: string, cwd: string): string | undefined {
  const files = names.flatMap((name) =>
    name.includes("/") ? [resolve(cwd, name)] : path.split(delimiter).map((folder) => resolve(cwd, folder, name)),
  );
  return files.find((file) => {
    try {
      accessSync(file, access.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
