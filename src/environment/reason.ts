const known: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EADDRINUSE", "something is already listening there"],
  ["ENOTDIR", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["ENXIO", "nothing is at its other end"],
  ["EBADF", "it is not open"],
  ["EAGAIN", "it has nothing to give now"],
  ["EINVAL", "it is not a readable file"],
  ["EIO", "the device fails"],
  ["EMFILE", "too many files are open"],
  ["ENFILE", "too many files are open"],
  ["ERR_FS_FILE_TOO_LARGE", "it is larger than 2 GiB"],
  ["ERR_INVALID_ARG_VALUE", "the name holds a NUL character"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ELOOP", "its links form a loop"],
]);

/** Node's reasons in plain words. */
export function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return known.get(code) ?? (code === "" ? String(error) : code);
}
