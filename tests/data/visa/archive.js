// Compiles the kernels of the folders here by IGC 1 (Debian 12) and IGC 2 (Debian unstable) for several devices, and keeps the
// dumps, each with what the compiler wrote beside it, in dumps.json.br: node archive.js [FOLDER FOR COMPILERS]. Needs apt-get
// and dpkg; nothing is installed. The program of unstable brings its own libraries, down to the C library's loader.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const here = import.meta.dirname;
const [compilers = join(tmpdir(), "ptxrun-compilers")] = process.argv.slice(2);

const mirror = "http://deb.debian.org/debian";
const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
const libraries = "usr/lib/x86_64-linux-gnu";

const releases = {
  igc1: {
    suite: "bookworm",
    devices: ["dg2", "pvc"],
    packages: ["intel-opencl-icd", "libigc1", "libigdfcl1", "libopencl-clang14", "libllvmspirvlib14", "libllvm14", "libclang-cpp14", "libigdgmm12"],
    program: "usr/bin/ocloc",
    loader: "lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
  },
  igc2: {
    suite: "sid",
    devices: ["dg2", "mtl", "pvc", "bmg", "lnl", "ptl"],
    packages: ["intel-ocloc", "libigc2", "libigdfcl2"],
    program: /^ocloc-26/,
    loader: `${libraries}/ld-linux-x86-64.so.2`,
  },
}; // biome-ignore format: a table

/** Unpacks a release's compiler with the C and C++ libraries of its suite, and gives how it is called. */
function compiler(release, { suite, packages, program, loader }) {
  const root = join(compilers, release, "root");
  if (!existsSync(root)) {
    const state = join(compilers, release, "apt");
    for (const each of ["state/lists/partial", "cache/archives/partial"]) mkdirSync(join(state, each), { recursive: true });
    mkdirSync(root, { recursive: true });
    writeFileSync(join(state, "status"), "");
    writeFileSync(join(state, "sources.list"), `deb [signed-by=${keys}] ${mirror} ${suite} main\n`);
    const options = [
      ...[`Dir::State=${state}/state`, `Dir::State::Status=${state}/status`, `Dir::Cache=${state}/cache`],
      ...[`Dir::Etc::SourceList=${state}/sources.list`, "Dir::Etc::SourceParts=-", "APT::Architecture=amd64"],
    ].flatMap((each) => ["-o", each]);
    const apt = (...words) => execFileSync("apt-get", [...options, ...words], { cwd: state, stdio: "ignore" });
    apt("update");
    apt("download", ...packages, "libc6", "libgcc-s1", "libstdc++6", "zlib1g");
    for (const each of readdirSync(state)) if (each.endsWith(".deb")) execFileSync("dpkg", ["-x", join(state, each), root]);
  }
  const name = typeof program === "string" ? program : `usr/bin/${readdirSync(join(root, "usr/bin")).find((each) => program.test(each))}`;
  const path = [libraries, "lib/x86_64-linux-gnu", `${libraries}/intel-opencl`].map((each) => join(root, each)).join(":");
  return [join(root, loader), "--library-path", path, join(root, name)];
}

/** Sections of a compiled program (ELF) by their names. */
function sections(bytes) {
  const at = Number(bytes.readBigUInt64LE(40));
  const [size, count, names] = [58, 60, 62].map((each) => bytes.readUInt16LE(each));
  const header = (index) => at + index * size;
  const contents = (index) => {
    const start = Number(bytes.readBigUInt64LE(header(index) + 24));
    // One of zeros is not in the file.
    if (bytes.readUInt32LE(header(index) + 4) === 8) return bytes.subarray(0, 0);
    return bytes.subarray(start, start + Number(bytes.readBigUInt64LE(header(index) + 32)));
  };
  const strings = contents(names);
  return new Map(Array.from({ length: count }, (_, index) => {
    const from = bytes.readUInt32LE(header(index));
    return [strings.toString("latin1", from, strings.indexOf(0, from)), contents(index)];
  }));
}

const sources = ["opencl", "suites", "units"].flatMap((folder) =>
  readdirSync(join(here, folder)).flatMap((each) => (each.endsWith(".cl") ? [join(folder, each)] : [])),
);
const files = {};
for (const [release, facts] of Object.entries(releases)) {
  const [loader, ...call] = compiler(release, facts);
  for (const device of facts.devices)
    for (const source of sources) {
      const work = mkdtempSync(join(tmpdir(), "ocloc-"));
      const options = /^\/\/ options: (.*)$/m.exec(readFileSync(join(here, source), "utf8"))?.[1];
      const words = ["compile", "-file", join(here, source), "-device", device, "-out_dir", join(work, "out"), ...(options ? ["-options", options] : [])];
      // With IGC_EnableZEBinary, IGC 1 describes the inputs, too, in a section of what it compiles.
      const env = { ...process.env, IGC_ShaderDumpEnable: "1", IGC_DumpToCustomDir: join(work, "dump"), IGC_EnableZEBinary: "1" };
      mkdirSync(join(work, "dump"));
      const { status, stdout } = spawnSync(loader, [...call, ...words], { env, encoding: "utf8" });
      if (status === 0) keep(`${release}/${device}`, basename(source, ".cl"), work);
      else console.error(`${release} ${device} ${source}: ${/^.*error.*$/im.exec(stdout)?.[0] ?? status}`);
      rmSync(work, { recursive: true });
    }
}
// What is alike stands together.
const kernelOf = (path) => path.split("/").at(-1);
const sorted = Object.entries(files).sort(([a], [b]) => (kernelOf(a) + a < kernelOf(b) + b ? -1 : 1));
const bytes = Buffer.from(JSON.stringify(Object.fromEntries(sorted)));
const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
writeFileSync(join(here, "dumps.json.br"), brotliCompressSync(bytes, { params }));

/** What a `.zeinfo` says of one kernel. */
function of(kernel, zeinfo) {
  const parts = zeinfo.split(/(?=^ {2}- name: |^\S)/m);
  return parts.filter((part) => !part.startsWith("  - name: ") || /^ {2}- name: +(\S+)/.exec(part)[1] === kernel).join("");
}

/**
 * The dumps of a compilation by the name of the source, or of their kernels where it has several; of several dumps of a
 * kernel, that with as many work-items as the compiler says.
 */
function keep(folder, name, work) {
  const bin = readdirSync(join(work, "out")).find((each) => each.endsWith(".bin"));
  const program = readFileSync(join(work, "out", bin));
  const parts = sections(program);
  const zeinfo = parts.get(".ze_info").toString();
  // Machine code and SPIR-V stay out.
  for (const [each, contents] of parts) if (!/^\.(?:ze_info|data|symtab|strtab|shstrtab)/.test(each)) contents.fill(0);
  const widths = new Map(zeinfo.split("kernels_misc_info")[0].split(/^ {2}- name: +/m).slice(1).map((each) => [/^\S+/.exec(each)[0], /simd_size: +(\d+)/.exec(each)?.[1]]));
  const kernels = [...widths.keys()].filter((each) => !each.startsWith("Intel_"));
  for (const each of readdirSync(join(work, "dump")).filter((name) => /entry.*\.visaasm$/.test(name))) {
    // Comments say nothing that the lines do not.
    const text = readFileSync(join(work, "dump", each), "utf8").replace(/[ ]*\/\/\/ \$.*|^\/\/.*\n/gm, "").replace(/[ ]+$/gm, "");
    const [, kernel] = /^\.kernel "(.*)"/m.exec(text);
    if (!kernels.includes(kernel) || /SimdSize=(\d+)/.exec(text)?.[1] !== widths.get(kernel)) continue;
    const path = `${folder}/${kernels.length === 1 ? name : kernel}`;
    files[`${path}.visaasm`] = text;
    files[`${path}.zeinfo`] = of(kernel, zeinfo);
    const payload = zeinfo.split(`  - name:            ${kernel}\n`)[1]?.split("  - name:")[0] ?? "";
    if (/const_base|global_base/.test(payload) || /^ *faddr/m.test(text)) files[`${path}.progbin`] = program.toString("base64");
  }
}
