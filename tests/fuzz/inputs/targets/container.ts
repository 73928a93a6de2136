import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DriverModules } from "../../../../src/clients/driver/driver.ts";
import { ptxIn } from "../../../../src/host/container/device-code.ts";
import { fatbinaryBytes, isFatbinary, readFatbinary } from "../../../../src/host/container/fatbinary.ts";
import { Device } from "../../../../src/host/index.ts";
import type { Random } from "../../executors/random.ts";
import type { Input, Target } from "../input.ts";

const folder = resolve(import.meta.dirname, "../../../unit/host/container");
const [FAT, WRAPPER, ELF] = [0xba55ed50, 0x466243b1, 0x464c457f];
const [LZ4, ZSTD] = [0x2000n, 0x8000n];

/** Numbers that sizes lie with: too few, too many by one, more than there is, more than any number of 32 or 53 bits. */
const lies = [
  ...[0n, 1n, 15n, 16n, 63n, 64n, 65n, 255n, 4096n, 65535n, 65536n, 1n << 28n, (1n << 28n) + 1n, 1n << 30n],
  ...[(1n << 31n) - 1n, 1n << 31n, (1n << 32n) - 1n, 1n << 32n, 1n << 40n, 1n << 53n, (1n << 63n) - 1n, 1n << 63n],
  ...[(1n << 64n) - 64n, (1n << 64n) - 1n],
];

/** A fat binary of one entry with this packed text, which has so many bytes when unpacked. */
function around(packed: Uint8Array, bytes: number, flags: bigint): Buffer {
  const all = Buffer.alloc(16 + 64 + packed.length);
  all.writeUInt32LE(FAT, 0);
  all.writeUInt16LE(1, 4);
  all.writeUInt16LE(16, 6);
  all.writeBigUInt64LE(BigInt(64 + packed.length), 8);
  all.writeUInt16LE(1, 16);
  all.writeUInt32LE(64, 20);
  all.writeBigUInt64LE(BigInt(packed.length), 24);
  all.writeUInt32LE(packed.length, 32);
  all.writeUInt32LE(80, 44);
  all.writeBigUInt64LE(flags, 56);
  all.writeBigUInt64LE(BigInt(bytes), 72);
  all.set(packed, 80);
  return all;
}

const text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";

/** What nvcc has packed, frames of zstd, a block of LZ4, and what is no fat binary: wrappers, machine code, texts. */
function containers(): readonly Buffer[] {
  const names = readdirSync(folder).sort();
  const files = names
    .filter((name) => /\.(?:fatbin|cubin|o)$/.test(name))
    .map((name) => readFileSync(resolve(folder, name)));
  const frames = names.filter((name) => name.endsWith(".zst")).map((name) => readFileSync(resolve(folder, name)));
  // One sequence of literals alone: a nibble of 15, and the rest of the length.
  const block = Buffer.from([0xf0, text.length - 15, ...Buffer.from(text)]);
  const wrapper = Buffer.alloc(24);
  wrapper.writeUInt32LE(WRAPPER, 0);
  wrapper.writeUInt32LE(1, 4);
  wrapper.writeBigUInt64LE(0x4141_4141_4141n, 8);
  const machine = Buffer.alloc(64);
  machine.writeUInt32LE(ELF, 0);
  return [
    ...files,
    ...frames.map((frame) => around(frame, 1 << 16, ZSTD)),
    ...[around(block, text.length, LZ4), around(Buffer.from(text), text.length, 0n)],
    ...[wrapper, machine, Buffer.from(text), Buffer.from(`${text}\0`)],
  ];
}

/** Where the entries of a fat binary begin, as far as they can be followed. */
function entriesIn(bytes: Buffer): readonly number[] {
  const found: number[] = [];
  for (
    let at = bytes.length >= 16 ? bytes.readUInt16LE(6) : bytes.length;
    at + 64 <= bytes.length && found.length < 64;
  ) {
    found.push(at);
    const next = at + bytes.readUInt32LE(at + 4) + Number(bytes.readBigUInt64LE(at + 8));
    if (next <= at) break;
    at = next;
  }
  return found;
}

/** Fields of an entry: where they are, how many bytes they have. */
const fields = [
  ...[[0, 2], [4, 4], [8, 8], [16, 4], [28, 4], [40, 8], [56, 8]], // biome-ignore format: pairs
] as const;

function put(bytes: Buffer, at: number, count: number, value: bigint): void {
  for (let byte = 0; byte < count && at + byte < bytes.length; byte++)
    bytes[at + byte] = Number((value >> BigInt(8 * byte)) & 0xffn);
}

/** A number near the one that is there, or one of those that lie. */
function lie(bytes: Buffer, at: number, count: number, random: Random): void {
  let old = 0n;
  for (let byte = count - 1; byte >= 0; byte--) old = (old << 8n) | BigInt(bytes[at + byte] ?? 0);
  put(bytes, at, count, random.chance(50) ? old + BigInt(random.below(17) - 8) : random.any(lies));
}

function changedOnce(bytes: Buffer, random: Random): Buffer {
  const entries = entriesIn(bytes);
  switch (random.below(entries.length > 0 ? 8 : 4)) {
    case 0:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 1:
      return Buffer.concat([bytes, Buffer.alloc(1 + random.below(80), random.below(256))]);
    case 2:
    case 3: {
      const at = random.below(bytes.length);
      if (bytes.length > 0)
        bytes[at] = random.chance(50) ? random.below(256) : (bytes[at] ?? 0) ^ (1 << random.below(8));
      return bytes;
    }
    case 4:
      if (random.chance(50)) lie(bytes, 6, 2, random);
      else lie(bytes, 8, 8, random);
      return bytes;
    case 5: {
      // Says that it is packed, otherwise packed, or not at all.
      put(bytes, random.any(entries) + 40, 8, random.any([0n, LZ4, ZSTD, LZ4 | ZSTD]));
      return bytes;
    }
    case 6: {
      // In the head of a frame or a block, where sizes of what is packed are.
      const at = random.any(entries);
      const head = at + bytes.readUInt32LE(at + 4) + random.below(24);
      if (head < bytes.length) bytes[head] = random.any([0, 1, 0x0f, 0x20, 0x60, 0x7f, 0x80, 0xf0, 0xff]);
      return bytes;
    }
    default: {
      const [offset, count] = random.any(fields);
      lie(bytes, random.any(entries) + offset, count, random);
      return bytes;
    }
  }
}

/** Fat binaries, wrappers, machine code and texts whose headers lie, as programs give them to the driver. */
export const container: Target = {
  bases: () => containers().map((bytes) => [bytes.toString("latin1")]),
  change: ([latin1 = ""], random): Input => {
    let bytes = Buffer.from(latin1, "latin1");
    for (let more = 1 + random.below(3); more > 0; more--) bytes = Buffer.from(changedOnce(bytes, random));
    return [bytes.toString("latin1")];
  },
  attempt: async ([latin1 = ""]) => {
    const bytes = Uint8Array.from(Buffer.from(latin1, "latin1"));
    const loaded = new DriverModules(new Device({ maxMemory: 2 ** 26 }), 80).load(bytes, "<module>");
    if (loaded.value === undefined && loaded.diagnostics.length === 0) return "refused without a reason";
    if (!isFatbinary(bytes)) return undefined;
    const texts = (all: Uint8Array): string => JSON.stringify([50, 80, 90, 121].map((target) => told(all, target)));
    const [once, end] = [texts(bytes), fatbinaryBytes(bytes)];
    if (readFatbinary(bytes).diagnostics.length > 0) return undefined;
    if (end > bytes.length) return "taken, though it says that it has more bytes than there are";
    // What lies behind is none of it, and all that it says is.
    if (texts(Uint8Array.of(...bytes.subarray(0, end), 1, 2, 3)) !== once) return "bytes behind its end count";
    if (readFatbinary(bytes.subarray(0, end - 1)).diagnostics.length === 0) return "taken without its last byte";
    return undefined;
  },
};

/** What a device of this target finds. */
function told(bytes: Uint8Array, target: number): string {
  const { value, diagnostics: wrong } = ptxIn("<module>", bytes, target);
  if (value === undefined && wrong.length === 0) throw new Error("no text, and no reason");
  return value ?? wrong[0]?.message ?? "";
}
