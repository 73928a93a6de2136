import type { Io } from "../../../../src/environment/io.ts";
import { Originals } from "./originals.ts";

/** The programs that a PTX file was compiled from: in the folders of `--source-dir`, then beside it. */
export const originalsOf = (
  file: string | undefined,
  { sourceDir = [] }: { readonly sourceDir?: readonly string[] },
  { files }: Pick<Io, "files">,
): Originals =>
  new Originals(files, [
    ...sourceDir.map((folder) => files.resolve(folder)),
    file === undefined || file === "-" ? files.resolve() : files.folderOf(file),
  ]);
