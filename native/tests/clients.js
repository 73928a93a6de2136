// Real CUDA clients, as distributions ship them, run by `ptxrun exec` and compared with what they compute on the CPU:
//   node native/tests/clients.js [NAME...]
// Uses what is installed, says what it skips and which package of Debian brings it, and exits with 1 on a difference.
// After `npm run build` and `npm run native`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const folder = join(import.meta.dirname, "clients");
const ptxrun = join(import.meta.dirname, "../../bin/ptxrun.js");
const libraries = join(import.meta.dirname, "../build");
/** Debian's, whose modules its packages bring. */
const python = "/usr/bin/python3";
const room = mkdtempSync(join(tmpdir(), "ptxrun-clients-"));
const LIMIT = 600_000;

/** Runs a command to its end; what it said on both streams where it failed is the error. */
function run(command, argv, { env = {}, exit = 0 } = {}) {
  const options = {
    encoding: "buffer",
    cwd: room,
    env: { ...process.env, ...env },
    timeout: LIMIT,
    maxBuffer: 1 << 28,
  };
  const { status, signal, stdout, stderr, error } = spawnSync(command, argv, options);
  if (status === exit) return stdout;
  const how = error?.message ?? `it ended with ${status ?? signal}`;
  throw new Error(
    `${[command, ...argv].join(" ")}: ${how}\n${stdout.toString().slice(-2000)}${stderr.toString().slice(-4000)}`,
  );
}

/** Runs a command by `ptxrun exec`. */
const exec = (argv, { options = [], ...how } = {}) =>
  run(process.execPath, [ptxrun, "exec", ...options, "--", ...argv], how);

const tour = (name) => join(folder, name);
const onPath = (name) => (process.env.PATH ?? "").split(delimiter).map((each) => join(each, name)).find(existsSync); // biome-ignore format: one line
const firstOf = (...files) => files.find(existsSync);

function must(holds, what) {
  if (!holds) throw new Error(what);
}

/** How near two pictures are, in decibels; infinite where they are equal. */
function nearness(a, b) {
  must(a.length === b.length && a.length > 0, `${a.length} and ${b.length} bytes`);
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] - b[at]) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / a.length));
}

/** The bytes that FFmpeg makes of its own test pictures by filters, on the device or on the CPU. */
function filtered(filters, pixels, onDevice) {
  const said = ["-hide_banner", "-v", "error", "-nostdin"];
  const device = onDevice ? ["-init_hw_device", "cuda=cu:0", "-filter_hw_device", "cu"] : [];
  const input = (size, source) => ["-f", "lavfi", "-i", `${source}=size=${size}:rate=5:duration=0.6`];
  const inputs = [...input("160x120", "testsrc2"), ...input("64x48", "testsrc")];
  const argv = [...said, ...device, ...inputs, "-filter_complex", filters, "-f", "rawvideo", "-pix_fmt", pixels, "-"];
  return onDevice ? exec(["ffmpeg", ...argv]) : run("ffmpeg", argv);
}

/** Name, filters on the device and on the CPU, the format of both, and the least nearness. */
const filters = [
  [
    "overlay",
    "[0]format=yuv420p,hwupload[a];[1]format=yuv420p,hwupload[b];[a][b]overlay_cuda=20:10,hwdownload,format=yuv420p",
    "[0]format=yuv420p[a];[1]format=yuv420p[b];[a][b]overlay=20:10,format=yuv420p",
    "yuv420p",
    Number.POSITIVE_INFINITY,
  ],
  ...[
    ["yadif", "yadif_cuda", "yadif", 40],
    ["nearest", "scale_cuda=320:240:interp_algo=nearest", "scale=320:240:flags=neighbor", Number.POSITIVE_INFINITY],
    ["bilinear", "scale_cuda=320:240:interp_algo=bilinear", "scale=320:240:flags=bilinear", 45],
    ["bicubic", "scale_cuda=320:240:interp_algo=bicubic", "scale=320:240:flags=bicubic", 35],
    ["thumbnail", "thumbnail_cuda=3", "thumbnail=3", Number.POSITIVE_INFINITY],
  ].map(([name, onDevice, onCpu, least]) => [
    name,
    `[0]format=yuv420p,hwupload,${onDevice},hwdownload,format=yuv420p`,
    `[0]format=yuv420p,${onCpu}`,
    "yuv420p",
    least,
  ]),
  [
    "chromakey",
    "[0]format=yuv420p,hwupload,chromakey_cuda=0x00ff00:0.1:0.1,hwdownload,format=yuva420p",
    "[0]format=yuv420p,chromakey=0x00ff00:0.1:0.1,format=yuva420p",
    "yuva420p",
    20,
  ],
];

/** A folder that Numba takes for a toolkit: it looks for NVVM where NVIDIA's installer would put it. */
function toolkit() {
  const home = join(room, "toolkit");
  mkdirSync(join(home, "nvvm/lib64"), { recursive: true });
  mkdirSync(join(home, "lib64"));
  symlinkSync(firstOf(...nvvm), join(home, "nvvm/lib64/libnvvm.so"));
  symlinkSync(firstOf(...libdevice), join(home, "nvvm/libdevice"));
  return home;
}
const nvvm = ["/usr/lib/x86_64-linux-gnu/libnvvm.so.4", "/usr/local/cuda/lib/libnvvm.so.4", "/usr/local/cuda/nvvm/lib64/libnvvm.so"]; // biome-ignore format: one line
const libdevice = ["/usr/lib/nvidia-cuda-toolkit/libdevice", "/usr/local/cuda/nvvm/libdevice"];

const offload = ["-O2", "-foffload=nvptx-none", "-foffload-options=nvptx-none=-misa=sm_80", "-foffload-options=-lm"];
const starpu = "/usr/lib/x86_64-linux-gnu/starpu/examples/vector_scal";

/** Each client: what it needs and which package brings that, and its checks, which throw where a result is not right. */
const clients = {
  ffmpeg: {
    needs: { ffmpeg: "ffmpeg" },
    check() {
      for (const [name, onDevice, onCpu, pixels, least] of filters) {
        const near = nearness(filtered(onDevice, pixels, true), filtered(onCpu, pixels, false));
        must(near >= least, `${name} is ${near.toFixed(1)} dB from the CPU's, where ${least} are wanted`);
      }
    },
  },
  pycuda: {
    needs: { "import pycuda.driver": "python3-pycuda", nvcc: "nvidia-cuda-toolkit" },
    check: () => exec([python, tour("pycuda-tour.py")], { options: ["--target", "sm_80"] }),
  },
  numba: {
    needs: { "import numba": "python3-numba", [nvvm.join(" or ")]: "libnvvm4", [libdevice.join(" or ")]: "nvidia-cuda-toolkit" }, // biome-ignore format: one line
    check() {
      const env = { CUDA_HOME: toolkit(), NUMBA_FORCE_CUDA_CC: "8.0" };
      exec([python, tour("numba-tour.py")], { options: ["--target", "sm_80"], env });
    },
  },
  pygpu: {
    needs: { "import pygpu": "python3-pygpu", "/usr/lib/x86_64-linux-gnu/libnvrtc.so": "nvidia-cuda-dev" },
    check: () => exec([python, tour("pygpu-tour.py")]),
  },
  halide: {
    needs: { "import halide": "python3-halide" },
    check: () => exec([python, tour("halide-tour.py")]),
  },
  gcc: {
    needs: { "gcc-12": "gcc-12", "/usr/lib/gcc/x86_64-linux-gnu/12/accel/nvptx-none": "gcc-12-offload-nvptx" },
    check() {
      for (const way of ["openmp", "openacc"]) {
        const program = join(room, way);
        run("gcc-12", [`-f${way}`, ...offload, "-o", program, tour(`offload-${way}.c`), "-lm"]);
        exec([program]);
      }
    },
  },
  hashcat: {
    needs: { hashcat: "hashcat", "/usr/lib/x86_64-linux-gnu/libnvrtc.so": "nvidia-cuda-dev" },
    check() {
      const env = { HOME: room, XDG_CACHE_HOME: room, XDG_DATA_HOME: room };
      const quick = ["--force", "--backend-ignore-opencl", "--potfile-disable", "-n", "1", "-u", "1", "--quiet"];
      for (const [mode, hash] of [
        ["0", "88cf91a1aef212f3c2cd12406983427d"],
        ["1400", "e25f201f9014599e00073db598a2603a9c05766965336d9b9c68c3d4081ee9a3"],
      ]) {
        const said = exec(["hashcat", "-m", mode, "-a", "3", ...quick, hash, "?d?d?d?d"], { env }).toString();
        must(said.includes(`${hash}:7391`), `hashcat finds no word for ${hash}: ${said}`);
      }
    },
  },
  clang: {
    needs: { "clang++": "clang", "/usr/lib/cuda/nvvm/libdevice": "nvidia-cuda-toolkit" },
    check() {
      for (const name of ["add", "streams", "grid"]) {
        const program = join(room, `clang-${name}`);
        const toolchain = ["--cuda-path=/usr/lib/cuda", "-Wno-unknown-cuda-version", "--cuda-gpu-arch=sm_80"];
        const source = join(import.meta.dirname, "cudart", `${name}.cu`);
        const argv = ["-x", "cuda", ...toolchain, "-O2", source, "-o", program, "-lcudart_static", "-ldl", "-lrt", "-pthread"]; // biome-ignore format: one line
        // Debian's clang calls fatbinary as that of CUDA 11 wants it.
        run("clang++", argv, { env: { PATH: `/usr/bin:${process.env.PATH}` } });
        exec([program]);
      }
    },
  },
  rust: {
    needs: { rustc: "rustc" },
    check() {
      const program = join(room, "scale");
      run("rustc", ["--edition", "2021", "-O", "-o", program, tour("scale.rs"), "-L", libraries]);
      exec([program]);
    },
  },
  mumax3: {
    needs: { mumax3: "mumax3" },
    check() {
      // One moment in a field along z: with damping a it turns with the frequency g B / (1 + a^2), and mz is tanh(a g B t / (1 + a^2)).
      const script = `SetGridsize(2, 2, 1)\nSetCellsize(5e-9, 5e-9, 5e-9)\nMsat = 800e3\nAex = 0\nalpha = 0.5\nEnableDemag = false
m = uniform(1, 0, 0)\nB_ext = vector(0, 0, 1)\nrun(5e-12)\nprint(m.average())\n`;
      writeFileSync(join(room, "turn.mx3"), script);
      const said = exec(["mumax3", "-http", "", "-o", join(room, "turn.out"), "turn.mx3"]).toString();
      const got = /\/\/\[(\S+) (\S+) (\S+)\]/.exec(said)?.slice(1).map(Number) ?? [];
      const turned = (1.7595e11 * 5e-12) / 1.25;
      const z = Math.tanh(0.5 * turned);
      const wanted = [Math.cos(turned) * Math.sqrt(1 - z * z), Math.sin(turned) * Math.sqrt(1 - z * z), z];
      const off = Math.max(...wanted.map((each, axis) => Math.abs(each - (got[axis] ?? Number.NaN))));
      must(off < 1e-4, `the moment is ${got} and not ${wanted}`);
    },
  },
  starpu: {
    needs: { [starpu]: "starpu-contrib-examples" },
    check() {
      const env = { STARPU_HOME: room, STARPU_NCPU: "0", STARPU_NOPENCL: "0", STARPU_BUS_CALIBRATE: "0" };
      exec([starpu], { env });
    },
  },
  hwloc: {
    needs: {
      "lstopo-no-graphics": "hwloc",
      "/usr/lib/x86_64-linux-gnu/hwloc/hwloc_cuda.so": "libhwloc-contrib-plugins",
    },
    check: () => must(/CoProc\(CUDA\) "cuda0"/.test(exec(["lstopo-no-graphics", "--of", "console"])), "no CUDA device"),
  },
};

/** Packages that bring what is not there. */
const missing = (needs) =>
  Object.entries(needs).flatMap(([what, which]) => {
    if (what.startsWith("import ")) {
      const found = existsSync(python) && spawnSync(python, ["-c", what]).status === 0;
      return found ? [] : [which];
    }
    const found = what.startsWith("/") ? firstOf(...what.split(" or ")) : onPath(what);
    return found === undefined ? [which] : [];
  });

/** The version of the package that comes first, where dpkg knows it. */
function versionOf(needs) {
  const [name = ""] = Object.values(needs);
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f", `\${Version}`, name], { encoding: "utf8" });
  return status === 0 ? ` ${stdout}` : "";
}

let [passed, failed, skipped] = [0, 0, 0];
try {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !Object.hasOwn(clients, name));
  if (unknown.length > 0) throw new Error(`no client ${unknown.join(", ")}: ${Object.keys(clients).join(", ")}`);
  for (const [name, { needs, check }] of Object.entries(clients)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const packages = missing(needs);
    if (packages.length > 0) {
      skipped++;
      console.log(`skip ${name}: apt-get install ${packages.join(" ")}`);
      continue;
    }
    const began = performance.now();
    try {
      check();
      passed++;
      console.log(`ok   ${name}${versionOf(needs)}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${name}${versionOf(needs)}\n${error.message}`);
    }
  }
} finally {
  rmSync(room, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
