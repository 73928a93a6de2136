// Stands before changed sources in what a test runs as a process: asks the environment which mutant is meant, and notes in a
// file what is come to, as mutant.h does.
globalThis.__mutants ??= (() => {
  const { openSync, writeSync } = process.getBuiltinModule("node:fs");
  const { PTXRUN_MUTANT: meant, PTXRUN_MUTANTS_SEEN: file } = process.env;
  const seen = file === undefined ? undefined : openSync(file, "r+");
  const known = new Set();
  let ticks = 0;
  return {
    hit(id) {
      if (seen !== undefined && !known.has(id)) {
        known.add(id);
        writeSync(seen, "\x01", id);
      }
      return id === Number(meant);
    },
    tick() {
      if (++ticks > 1e9) throw new Error("a mutant made a loop endless");
    },
  };
})();
