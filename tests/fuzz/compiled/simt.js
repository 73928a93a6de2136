// Random blocks of threads: lanes that exchange values under masks, divergent loops with breaks and continues, barriers,
// histograms in shared memory, locks. The mask of every exchange is the ballot that was taken before lanes parted.
import { Random } from "./random.js";

const registers = ["a", "b", "c", "d"];

class Block {
  constructor(random, threads) {
    this.random = random;
    this.threads = threads;
    this.lines = [];
    this.indent = 1;
    this.names = 0;
    this.budget = 40;
    /** True after a thread may have left: named barriers count warps that may be gone. */
    this.left = false;
  }

  line(text) {
    this.lines.push("  ".repeat(this.indent) + text);
  }

  name(prefix) {
    this.names += 1;
    return `${prefix}${this.names}`;
  }

  r() {
    return this.random.any(registers);
  }

  /** A number, of registers and what the thread is. */
  value(depth = 2) {
    const { random } = this;
    if (depth === 0)
      return random.chance(60)
        ? this.r()
        : random.any([
            "me",
            "lane",
            `${random.below(64)}u`,
            `0x${random.word().toString(16)}u`,
            "x[0]",
            "x[1]",
            "warp",
            "(u32)q",
          ]);
    const e = () => this.value(depth - 1);
    return random.any([
      () => `(${e()} ${random.any(["+", "-", "*", "^", "&", "|"])} ${e()})`,
      () => `(${e()} ${random.any(["<<", ">>"])} ${random.below(32)})`,
      () => `(${this.condition()} ? ${e()} : ${e()})`,
      () => `popc(${e()})`,
      () => `rest<u32>(${e()}, ${e()})`,
      () => `funnel_l(${e()}, ${e()}, ${e()})`,
    ])();
  }

  condition() {
    const { random } = this;
    const e = () => this.value(random.below(2));
    return random.any([
      () => `(${e()} < ${e()})`,
      () => `(${e()} & 1)`,
      () => `(${e()} % ${2 + random.below(5)} == ${random.below(2)})`,
      () => `(lane < ${random.below(33)}u)`,
      () => `((i32)${e()} > (i32)${e()})`,
      () => `(lane ${random.any(["<", ">"])} (${e()} & 31))`,
    ])();
  }

  exchange(mask) {
    const { random } = this;
    const width = random.any([32, 32, 16, 8, 4, 2]);
    const v = () => this.value(1);
    // Values come from lanes of the mask alone: what another lane has is undefined.
    const safe = `pick(${mask}, ${v()})`;
    const any = [
      () => `${this.r()} = from(${mask}, ${v()}, ${safe}, 32);`,
      () =>
        `${this.r()} ^= guarded(${mask}, lane, lane ^ ${random.below(width)}, from_xor(${mask}, ${v()}, ${random.below(width)}, ${width}));`,
      () => `${this.r()} += ballot(${mask}, ${this.condition()});`,
      () => `${this.r()} ^= any_of(${mask}, ${this.condition()}) * 5 + 1;`,
      () => `${this.r()} ^= all_of(${mask}, ${this.condition()}) * 9 + 2;`,
      () => `${this.r()} += alike(${mask}, ${v()} & ${random.any([1, 3, 7])});`,
      () => `${this.r()} += alike(${mask}, (u64)(${v()} & 3) << 33);`,
      () => `${this.r()} += all_alike(${mask}, ${v()} ${random.any(["& 1", ">> 31", "& 0"])});`,
      () => `${this.r()} = sum_of(${mask}, ${v()}) + ${this.r()};`,
      () => `${this.r()} ^= (u32)least_of(${mask}, (i32)${v()});`,
      () => `${this.r()} += most_of(${mask}, ${v()});`,
      () => `${this.r()} ^= ${random.any(["xor_of", "and_of"])}(${mask}, ${v()});`,
      () => `q += from(${mask}, q * 3 + ${this.r()}, ${safe}, 32);`,
      () => `f = from(${mask}, f + (f32)(i8)${this.r()}, ${safe}, 32);`,
      () =>
        `{ const u32 s = ${random.below(width)}, t = from_${random.any(["up", "down"])}(${mask}, ${v()}, s, ${width}); if (${mask} == 0xffffffffu) ${this.r()} ^= t; }`,
      () => `join(${mask});`,
    ];
    this.line(random.any(any)());
  }

  block(head, body, tail = "}") {
    this.line(`${head} {`);
    this.indent += 1;
    body();
    this.indent -= 1;
    this.line(tail);
  }

  /** Statements that lanes of `mask` run together. */
  warp(mask, count, depth) {
    const { random } = this;
    for (let at = 0; at < count && this.budget > 0; at++) {
      this.budget -= 1;
      const roll = random.below(100);
      if (roll < 30 || (depth === 0 && roll < 60)) this.exchange(mask);
      else if (roll < 60 && roll >= 52)
        this.line(`t[${this.value(1)} & 7] ${random.any(["=", "+=", "^="])} ${this.value(2)};`);
      else if (roll < 45) this.part(mask, depth);
      else if (roll < 52) this.alone(depth);
      else if (roll < 70) this.loop(mask, depth);
      else if (roll < 76) this.choose(mask, depth);
      else if (roll < 80) this.line(`${this.r()} = t[${this.value(1)} & 7];`);
      else this.line(`${this.r()} ${random.any(["=", "+=", "^=", "-="])} ${this.value()};`);
    }
  }

  part(mask, depth) {
    const p = this.name("p");
    const m = this.name("m");
    this.line(`const bool ${p} = ${this.condition()};`);
    this.line(`const u32 ${m} = ballot(${mask}, ${p});`);
    this.block(`if (${p})`, () => this.warp(m, 1 + this.random.below(3), depth - 1));
    if (this.random.chance(60))
      this.block("else", () => this.warp(`(${mask} & ~${m})`, 1 + this.random.below(3), depth - 1));
  }

  /** Divergent code in which nobody needs anybody. */
  alone(depth) {
    const { random } = this;
    const n = this.name("n");
    this.block(`for (u32 ${n} = 0; ${n} < (${this.value(1)} & ${random.any([3, 7, 15])}); ${n}++)`, () => {
      this.line(`${this.r()} += ${n} * ${this.value(1)};`);
      if (random.chance(50)) this.line(`if (${this.condition()}) continue;`);
      this.line(`t[${this.r()} & 7] ^= ${this.value(1)};`);
      if (random.chance(50)) this.line(`if (${this.condition()}) break;`);
      this.line(`${this.r()} ^= ${this.value(1)};`);
      if (depth > 0 && random.chance(40)) this.alone(depth - 1);
    });
  }

  loop(mask, depth) {
    const { random } = this;
    const n = this.name("n");
    const m = this.name("m");
    const p = this.name("p");
    this.line(`u32 ${m} = ${mask};`);
    this.block(`for (u32 ${n} = 0; ; ${n}++)`, () => {
      this.line(`const bool ${p} = ${n} < (${this.value(1)} & ${random.any([1, 3, 7])});`);
      this.line(`${m} = ballot(${m}, ${p});`);
      this.line(`if (!${p}) break;`);
      this.line(`if (${n} > 5) { ${this.r()} += ${n}; }`);
      this.line(`${this.r()} += ${this.value(1)};`);
      this.warp(m, 1 + random.below(2), depth - 1);
      if (random.chance(60)) {
        const c = this.name("c");
        const rest = this.name("m");
        this.line(`const bool ${c} = ${this.condition()};`);
        this.line(`const u32 ${rest} = ballot(${m}, !${c});`);
        this.line(`if (${c}) continue;`);
        this.warp(rest, 1 + random.below(2), depth - 1);
      }
      this.line(`if (${n} > 8) x1 = 0;`);
    });
  }

  choose(mask, depth) {
    const { random } = this;
    const s = this.name("s");
    const cases = random.any([3, 4, 6]);
    this.line(`const u32 ${s} = ${this.value(1)} % ${cases};`);
    const m = this.name("m");
    this.line(`const u32 ${m} = alike(${mask}, ${s});`);
    this.block(`switch (${s})`, () => {
      for (let at = 0; at < cases; at++)
        this.block(`case ${at}:`, () => {
          this.warp(m, 1, depth - 1);
          this.line("break;");
        });
    });
  }

  /** Statements of the whole block, reached by every thread that is left. */
  together(count) {
    const { random } = this;
    for (let at = 0; at < count; at++) {
      switch (random.below(10)) {
        case 0:
          this.line("meet();");
          this.line(`s[me] = ${this.value()};`);
          this.line("meet();");
          this.line(`${this.r()} ^= s[(me ${random.any(["+", "^"])} ${this.value(1)}) % BLOCK];`);
          this.line("meet();");
          break;
        case 1:
          this.line("meet();");
          this.line("if (me < 16) h[me] = 0;");
          this.line("meet();");
          this.line(`ADD(&h[${this.value(1)} & 15], ${this.value(1)});`);
          this.line(`${random.any(["if (lane & 1) ", ""])}ADD(&h[${this.r()} & 15], 1u);`);
          this.line("meet();");
          this.line(`${this.r()} += h[${this.value(1)} & 15];`);
          this.line("meet();");
          break;
        case 2:
          this.line(`${this.r()} += meet_count(${this.condition()});`);
          break;
        case 3:
          this.line(`${this.r()} ^= meet_${random.any(["and", "or"])}(${this.condition()}) * 77;`);
          break;
        case 4:
          this.block(
            `for (u32 ${this.name("k")} = 0, to = 1 + (given[0] & 3); k${this.names} < to; k${this.names}++)`,
            () => {
              this.line(`s[me] = ${this.value(1)};`);
              this.line("meet();");
              this.line(`${this.r()} += s[BLOCK - 1 - me];`);
              this.line("meet();");
              this.warp("live", 2, 2);
            },
          );
          break;
        case 5: {
          const op = random.any(["MAX", "MIN", "XOR", "OR", "AND"]);
          this.line(`meet(); if (me < 16) h[me] = me * 0x01010101u; meet();`);
          this.line(`${op}(&h[${this.value(1)} & 3], ${this.value(1)});`);
          this.line(`meet(); ${this.r()} ^= h[${this.r()} & 3]; meet();`);
          break;
        }
        case 6: {
          this.line("meet(); if (me == 0) { h[0] = 0; h[1] = 0; } meet();");
          this.line(
            `for (bool mine = false; !mine;) if (CAS(&h[0], 0u, 1u) == 0u) { FENCE(); h[1] = h[1] + (${this.value(1)}); FENCE(); SWAP(&h[0], 0u); mine = true; }`,
          );
          this.line(`meet(); ${this.r()} += h[1]; meet();`);
          break;
        }
        case 7:
          if (!this.left && this.threads >= 64 && this.threads % 32 === 0) {
            const warps = this.threads / 32;
            const some = 1 + random.below(warps - 1);
            this.line(`meet(); s[me] = ${this.value(1)}; meet();`);
            this.block(`if (warp < ${some})`, () => {
              this.line(`${this.r()} += s[me + 32];`);
              this.line(`meet_some(2, ${some * 32}); s[me] = ${this.value(1)}; meet_some(2, ${some * 32});`);
              this.line(`${this.r()} ^= s[me ^ 16]; meet_ahead(3, ${this.threads});`);
            });
            this.block("else", () => {
              this.line(`meet_some(3, ${this.threads}); ${this.r()} ^= s[(me * 7) % ${some * 32}];`);
            });
            this.line("meet();");
          }
          break;
        case 8:
          if (random.chance(40) && !this.left) {
            this.left = true;
            const p = this.name("p");
            this.line(`const bool ${p} = me > 0 && ${this.condition()};`);
            this.line(`live = ballot(live, !${p});`);
            this.line(`if (${p}) { finish(); return; }`);
            // Slots of those who left keep what they had.
          }
          break;
        default:
          this.warp("live", 2 + random.below(4), 3);
      }
    }
  }
}

/** Random kernel `seed`: two blocks of some shape. */
export function simt(seed) {
  const random = new Random(seed ^ 0x1234567);
  const shape = random.any([[32], [64], [96], [128], [50], [77], [8, 6], [5, 4, 3], [20, 5], [160]]);
  const threads = shape.reduce((a, b) => a * b, 1);
  const block = new Block(random, threads);
  block.together(7 + random.below(6));
  const finish = "finish();";
  return {
    shape,
    threads,
    blocks: 2,
    count: 1,
    text: `#include "simt.h"
#define BLOCK ${threads}u
SHARED u32 s[256];
SHARED u32 h[16];
ONLY inline u32 nth(u32 m, u32 v) { u32 n = v % popc(m); while (n-- > 0) m &= m - 1; return first(m) - 1; }
ONLY inline u32 pick(u32 m, u32 v) { return nth(m, v); }
ONLY inline u32 guarded(u32 m, u32 lane, u32 at, u32 v) { return m >> (at & 31) & 1 ? v : lane; }
ONLY void run(const u32 *given, u64 *out, const u32 me) {
  const u32 lane = me & 31, warp = me >> 5;
  u32 live = BLOCK - warp * 32 >= 32 ? 0xffffffffu : (1u << (BLOCK - warp * 32)) - 1;
  const u32 *x = given + 8 * me;
  u32 a = x[0], b = x[1], c = x[2], d = x[3], x1 = 1;
  u64 q = (u64)x[4] << 32 | x[5];
  f32 f = (f32)(i8)x[6];
  u32 t[8];
  for (u32 i = 0; i < 8; i++) t[i] = x[i] * 3;
  const auto finish = [&] {
    u64 r = mix(mix(mix(a, b), c), d);
    r = mix(mix(r, q), raw(f) + x1);
    for (u32 i = 0; i < 8; i++) r = mix(r, t[i]);
    out[me] = r;
  };
  s[me] = me;
  if (me < 16) h[me] = 0;
  meet();
${block.lines.join("\n")}
  ${finish}
}
#ifdef __CUDACC__
extern "C" __global__ void k(const u32 *in, u64 *out, u32 n) {
  const u32 me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  run(in + 8 * BLOCK * blockIdx.x, out + BLOCK * blockIdx.x, me);
}
#else
int main() {
  static u32 x[8 * BLOCK];
  static u64 out[BLOCK];
  while (fread(x, 4, 8 * BLOCK, stdin) == 8 * BLOCK) {
    run_block(BLOCK, [&](u32 me) { run(x, out, me); });
    fwrite(out, 8, BLOCK, stdout);
  }
}
#endif
`,
  };
}
