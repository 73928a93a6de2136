// What random programs are given, and what compilers make of them.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Random } from "./random.js";

const here = fileURLToPath(new URL(".", import.meta.url));

const special = [
  0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7f7fffff, 1,
  0x807fffff, 0x4f000000, 0x5f000000, 0x40490fdb, 0x7fc00000,
];

/** Eight words a thread: special ones, small ones, floats of all sizes. */
export function inputs(seed, threads) {
  const random = new Random(seed ^ 0x55555555);
  return Uint32Array.from({ length: threads * 8 }, () => {
    const roll = random.below(4);
    if (roll === 0) return random.any(special);
    if (roll === 1) return random.below(100);
    if (roll === 2) return (random.word() & 0x83ffffff) + ((96 + random.below(64)) << 23);
    return random.word();
  });
}

function shell(command, args, input) {
  const { status, stdout, stderr, signal } = spawnSync(command, args, { input, maxBuffer: 2 ** 28, timeout: 300_000 });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")}: ${signal ?? status}\n${stderr.toString().slice(0, 2000)}`);
  return stdout;
}

/** What the host makes of the inputs. */
export function onHost(file, given) {
  const made = file.replace(/\.cu$/, "");
  shell("g++", [
    "-I",
    here,
    "-I",
    "/usr/local/cuda/include",
    "-I",
    "/usr/local/cuda/include/cccl",
    "-x",
    "c++",
    "-O1",
    "-std=c++17",
    "-mfma",
    "-frounding-math",
    "-fwrapv",
    "-ffp-contract=off",
    "-w",
    file,
    "-o",
    made,
  ]);
  const bytes = shell(made, [], Buffer.from(given.buffer));
  return new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Compiles for the device: `options` are words with blanks between them. */
export function nvcc(file, arch, options, ptx) {
  shell("nvcc", ["-I", here, "-ptx", `-arch=${arch}`, "--fmad=false", "-w", ...options.split(" "), file, "-o", ptx]);
}
