// Builds libptxrun and, on Linux, libcuda and libcudart, with what C compiler there is (CC, or cc) and CFLAGS: `npm run native`.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeTraced } from "./trace.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const mac = process.platform === "darwin";
const extension = mac ? "dylib" : "so";

/** The library's file, and the other name under which programs look for it. */
export const names = { library: `libptxrun.${extension}`, other: `libgpuocelot.${extension}` };

const warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const system = mac ? ["-D_DARWIN_C_SOURCE"] : ["-D_GNU_SOURCE"];
/** Options for a library of this name. */
const sharedAs = (library) =>
  mac
    ? ["-dynamiclib", `-Wl,-install_name,@rpath/${library}`]
    : // It stays loaded: what it has asked to be called after a fork must be there.
      ["-shared", `-Wl,-soname,${library}`, "-Wl,-z,nodelete", "-Wl,-z,defs"];

const wordsOf = (text) => text.split(" ").filter((word) => word !== "");

/** The compiler's command, or undefined where none works. */
export function compiler() {
  const [command, ...options] = wordsOf(process.env.CC ?? "cc");
  if (command === undefined || spawnSync(command, ["--version"], { stdio: "ignore" }).status !== 0) return undefined;
  return [command, ...options];
}

/** The driver library's file, and its name for linkers; programs know it nowhere but on Linux. */
export const driverNames = { library: "libcuda.so.1", other: "libcuda.so" };

/** Runs the compiler, and throws what it said where it failed. */
export function compile(argv, cwd = folder) {
  const [command = "cc", ...options] = compiler() ?? [];
  const { status, stderr, error } = spawnSync(command, [...options, "-std=c11", ...warnings, ...system, ...argv], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}

/** C files of a folder, seen from this one. */
const sourcesOf = (where) =>
  readdirSync(join(folder, where))
    .filter((name) => name.endsWith(".c"))
    .map((name) => join(where, name));

const always = () => [...wordsOf(process.env.CFLAGS ?? "-O2 -g"), "-fPIC", "-fvisibility=hidden", "-pthread"];

function build(out, library, other, options, sources) {
  compile([...always(), ...options, "-o", join(out, library), ...sources, "-ldl"]);
  rmSync(join(out, other), { force: true });
  symlinkSync(library, join(out, other));
}

/** Builds the library of `ptx_run` into a folder, where it finds the worker's script if that is near. */
export function buildLibrary(out) {
  mkdirSync(out, { recursive: true });
  build(out, names.library, names.other, sharedAs(names.library), sourcesOf("."));
}

/** Builds the driver library in the same way. */
export function buildDriver(out) {
  mkdirSync(out, { recursive: true });
  // With a worker of its own: what `ptx_run` launches and the driver's device know nothing of each other.
  const shared = sourcesOf(".").filter((name) => name !== "ptx_run.c");
  // Names that are not there are said by themselves.
  const missing = join("cuda", "missing.c");
  const own = [...sourcesOf("cuda"), ...sourcesOf(join("cuda", "graph"))].filter((name) => name !== missing);
  const made = mkdtempSync(join(out, "made-"));
  try {
    const here = (names) => names.map((name) => join(folder, name));
    const { renaming, source } = writeTraced(made, here(own), compile);
    // Only the names that programs know are to be seen.
    compile([...always(), "-DAPI=", "-include", renaming, "-c", ...here(own)], made);
    compile([...always(), "-I", join(folder, "cuda"), "-c", source, join(folder, missing)], made);
    const objects = readdirSync(made).filter((name) => name.endsWith(".o"));
    const inputs = [...shared, ...objects.map((name) => join(made, name))];
    const options = [...sharedAs(driverNames.library), `-Wl,--version-script=${join(folder, "cuda", "hidden.map")}`];
    build(out, driverNames.library, driverNames.other, options, inputs);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** The runtime libraries' files, and of which CUDA each one is. */
export const runtimeNames = { "libcudart.so.11.0": 11, "libcudart.so.12": 12, "libcudart.so.13": 13 };

/** Builds the runtime libraries, which call the driver library beside them. */
export function buildRuntime(out) {
  const sources = [...sourcesOf("cudart"), ...sourcesOf(join("cudart", "graph")), "report.c"].map((name) =>
    join(folder, name),
  );
  const differs = (name) => readFileSync(name, "utf8").includes("CUDART_");
  const objects = mkdtempSync(join(out, "objects-"));
  try {
    compile([...always(), "-c", ...sources.filter((name) => !differs(name))], objects);
    const same = readdirSync(objects).map((name) => join(objects, name));
    for (const [library, major] of Object.entries(runtimeNames)) {
      const options = [
        ...sharedAs(library),
        `-DCUDART_MAJOR=${major}`,
        // Programs ask for names of this version.
        `-Wl,--version-script=${join(folder, "cudart", `${library}.map`)}`,
        // Before what LD_LIBRARY_PATH names, where NVIDIA's driver may lie.
        "-Wl,--disable-new-dtags,-rpath,$ORIGIN",
      ];
      const inputs = [...sources.filter(differs), ...same, join(out, driverNames.library)];
      build(out, library, "libcudart.so", options, inputs);
    }
  } finally {
    rmSync(objects, { recursive: true, force: true });
  }
}

/** The linker libraries' files, and of which CUDA each one is, with its newest minor version. */
export const linkerNames = { "libnvJitLink.so.12": [12, 9], "libnvJitLink.so.13": [13, 4] };

/** Builds the linker libraries, which call the driver library beside them. */
export function buildLinker(out) {
  for (const [library, [major, minor]] of Object.entries(linkerNames))
    compile([
      ...always(),
      ...sharedAs(library),
      `-DNVJITLINK_MAJOR=${major}`,
      `-DNVJITLINK_MINOR=${minor}`,
      `-Wl,--version-script=${join(folder, "nvjitlink", `${library}.map`)}`,
      "-Wl,--disable-new-dtags,-rpath,$ORIGIN",
      ...["-o", join(out, library), ...sourcesOf("nvjitlink"), join(out, driverNames.library)],
    ]);
}

/** What `ptxrun exec` preloads: it sends a runtime that nvcc put into a program to ours. */
export const redirectName = "libptxrun-redirect.so";

/** Whether a processor is one that it knows the jumps of. */
export const redirects = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);

export function buildRedirect(out) {
  const sources = [...sourcesOf("redirect"), "report.c"].map((name) => join(folder, name));
  compile([...always(), ...sharedAs(redirectName), "-o", join(out, redirectName), ...sources, "-ldl"]);
}

/** What `ptxrun exec` puts before programs of these names: `nvcc` gives PTX to whoever asks it for machine code. */
export function copyPrograms(out) {
  cpSync(join(folder, "bin"), join(out, "bin"), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (compiler() === undefined) {
    console.error("there is no C compiler: install one, or say which by CC");
    process.exitCode = 1;
  } else {
    const out = join(folder, "build");
    buildLibrary(out);
    console.log(`${join(out, names.library)}, and as ${names.other}`);
    if (!mac) {
      buildDriver(out);
      console.log(`${join(out, driverNames.library)}, and as ${driverNames.other}`);
      buildRuntime(out);
      console.log(
        Object.keys(runtimeNames)
          .map((library) => join(out, library))
          .join(", "),
      );
      copyPrograms(out);
      buildLinker(out);
      console.log(
        Object.keys(linkerNames)
          .map((library) => join(out, library))
          .join(", "),
      );
      if (redirects) buildRedirect(out);
      if (redirects) console.log(join(out, redirectName));
    }
  }
}
