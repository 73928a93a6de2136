import { Device, must } from "../../../src/index.ts";

/** What one tcgen05 instruction is given, and what it should leave. */
export interface OneMultiply {
  /** The instruction: %t is D's address, %da and %db the descriptors, %i the instruction descriptor. */
  readonly line: string;
  readonly idesc: number;
  readonly a: bigint;
  readonly b: bigint;
  /** Shared memory from offset 0 on; with `pair` that of the second block comes behind the first's. */
  readonly shared: Uint8Array;
  /** Words of tensor memory before, by lane and column; the lanes of a second block are 128 and up. */
  readonly before: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** Two blocks, of which the first gives the instruction. */
  readonly pair?: true;
  readonly target?: string;
}

export const COLUMNS = 128;

/** Runs one instruction, of which nobody may complain; gives all of tensor memory, lane after lane. */
export function runOne(one: OneMultiply): Uint32Array {
  const { line, idesc, a, b, shared, before, target = "sm_100a", pair } = one;
  const blocks = pair ? 2 : 1;
  const group = `cta_group::${blocks}`;
  const meet = pair ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : "bar.sync 0;";
  const text = `.version ${target.startsWith("sm_107") ? "9.4" : "9.0"}
.target ${target}
.address_size 64
.visible .entry k(.param .u64 image, .param .u64 words, .param .u64 out, .param .u64 pa, .param .u64 pb, .param .u32 pi) ${pair ? ".reqnctapercluster 2 " : ""}{
  .reg .b32 %r<48>; .reg .b64 %rd<20>; .reg .pred %p<5>; .reg .b32 %t, %i; .reg .b64 %da, %db; .reg .b16 %h; mov.b16 %h, 3;
  .shared .align 1024 .b8 m[32768];
  .shared .align 8 .b64 bar;
  .shared .b32 slot;
  mov.u32 %r0, %tid.x; mov.u32 %r20, %ctaid.x;
  ld.param.u64 %rd0, [image]; ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [out];
  ld.param.u64 %da, [pa]; ld.param.u64 %db, [pb]; ld.param.u32 %i, [pi];
  mov.u32 %r1, 0;
S: mad.lo.u32 %r2, %r1, 128, %r0; shl.b32 %r2, %r2, 4; mad.lo.u32 %r21, %r20, 32768, %r2; cvt.u64.u32 %rd3, %r21; add.u64 %rd4, %rd0, %rd3;
  ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd4];
  mov.u32 %r3, m; add.u32 %r3, %r3, %r2; st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};
  add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 16; @%p0 bra S;
  setp.eq.u32 %p1, %r0, 0;
  @%p1 mbarrier.init.shared::cta.b64 [bar], 1;
  setp.ge.u32 %p2, %r0, 32; @%p2 bra A;
  tcgen05.alloc.${group}.sync.aligned.shared::cta.b32 [slot], ${COLUMNS};
A: fence.proxy.async.shared::cta; tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
  ld.shared.b32 %t, [slot];
  and.b32 %r8, %r0, 0x60; shl.b32 %r8, %r8, 16; add.u32 %r8, %r8, %t;
  mad.lo.u32 %r9, %r20, 128, %r0; mul.lo.u32 %r9, %r9, ${4 * COLUMNS}; cvt.u64.u32 %rd5, %r9; add.u64 %rd6, %rd1, %rd5; add.u64 %rd7, %rd2, %rd5;
  mov.u32 %r1, 0; mov.u32 %r10, %r8;
W: ld.global.v4.b32 {%r40, %r41, %r42, %r43}, [%rd6]; ld.global.v4.b32 {%r44, %r45, %r46, %r47}, [%rd6+16];
  tcgen05.st.sync.aligned.32x32b.x8.b32 [%r10], {%r40, %r41, %r42, %r43, %r44, %r45, %r46, %r47};
  add.u64 %rd6, %rd6, 32; add.u32 %r10, %r10, 8; add.u32 %r1, %r1, 8; setp.lt.u32 %p0, %r1, ${COLUMNS}; @%p0 bra W;
  tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; ${meet} tcgen05.fence::after_thread_sync;
  setp.eq.and.u32 %p4, %r20, 0, %p1; @!%p4 bra C;
  ${line}
  tcgen05.commit.${group}.mbarrier::arrive::one.shared::cluster${pair ? ".multicast::cluster.b64 [bar], %h" : ".b64 [bar]"};
C: mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0; @!%p3 bra C;
  tcgen05.fence::after_thread_sync;
  mov.u32 %r1, 0;
L: tcgen05.ld.sync.aligned.32x32b.x8.b32 {%r40, %r41, %r42, %r43, %r44, %r45, %r46, %r47}, [%r8];
  tcgen05.wait::ld.sync.aligned;
  st.global.v4.b32 [%rd7], {%r40, %r41, %r42, %r43}; st.global.v4.b32 [%rd7+16], {%r44, %r45, %r46, %r47};
  add.u64 %rd7, %rd7, 32; add.u32 %r8, %r8, 8; add.u32 %r1, %r1, 8; setp.lt.u32 %p0, %r1, ${COLUMNS}; @%p0 bra L;
  tcgen05.fence::before_thread_sync; ${meet}
  @%p2 bra E;
  tcgen05.dealloc.${group}.sync.aligned.b32 %t, ${COLUMNS};
E: ret;
}`;
  const device = new Device();
  const image = new Uint8Array(32768 * blocks);
  image.set(shared);
  const words = new Uint32Array(128 * COLUMNS * blocks);
  for (const [lane, columns] of before) for (const [column, word] of columns) words[lane * COLUMNS + column] = word;
  const out = device.buffer(new Uint32Array(words.length));
  const kernel = must(must(device.module({ name: "one.ptx", text })).kernel("k"));
  const { stop, findings } = must(
    kernel.launch({ grid: blocks, block: 128, args: [device.buffer(image), device.buffer(words), out, a, b, idesc] }),
  );
  const told = [...("diagnostic" in stop ? [stop.diagnostic] : []), ...findings].map(
    ({ code, message }) => `${code} ${message}`,
  );
  if (stop.reason !== "exit" || told.length > 0) throw new Error([line, stop.reason, ...told].join("\n"));
  return new Uint32Array(out.read().buffer);
}

/** Tensor memory that is filled a word or a bit field at a time. */
export class Lanes {
  readonly lanes: Map<number, Map<number, number>> = new Map();

  /** Puts `bits` bits at bit `at` of a lane, counted from its column 0 on. */
  put(lane: number, at: number, bits: number, value: number): void {
    const room = 32 - (at & 31);
    if (bits > room) {
      this.put(lane, at + room, bits - room, value >>> room);
      this.put(lane, at, room, value & (2 ** room - 1));
      return;
    }
    const columns = this.lanes.get(lane) ?? new Map<number, number>();
    this.lanes.set(lane, columns);
    const column = at >>> 5;
    const word = BigInt(columns.get(column) ?? 0) | (BigInt(value) << BigInt(at & 31));
    columns.set(column, Number(BigInt.asUintN(32, word)));
  }
}
