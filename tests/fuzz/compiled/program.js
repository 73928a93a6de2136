// Random programs: functions of plain C++ with structured and unstructured control flow, and one kernel that runs them.
import {
  condition,
  expression,
  fieldNames,
  fieldType,
  floats,
  integers,
  Scope,
  structure,
  types,
} from "./expression.js";
import { Random } from "./random.js";

const small = (type) => types.indexOf(type) < 8 || floats.includes(type);

class Writer {
  constructor(random, functions) {
    this.random = random;
    this.lines = [];
    this.scope = new Scope(random, { functions, arrays: [], objects: [] });
    this.indent = 1;
    this.names = 0;
    /** Steps that loops may still take, so that nesting does not run away. */
    this.loops = 0;
    this.writable = [];
  }

  line(text) {
    this.lines.push("  ".repeat(this.indent) + text);
  }

  name(prefix) {
    this.names += 1;
    return `${prefix}${this.names}`;
  }

  e(type, depth = 2) {
    return expression(this.scope, type, depth);
  }

  /** A block in braces, whose names end with it. */
  block(head, body, tail = "}") {
    const { variables, arrays, objects } = this.scope;
    const writable = this.writable;
    this.scope.variables = [...variables];
    this.scope.arrays = [...arrays];
    this.scope.objects = [...objects];
    this.writable = [...writable];
    this.line(`${head} {`);
    this.indent += 1;
    body();
    this.indent -= 1;
    this.line(tail);
    Object.assign(this.scope, { variables, arrays, objects });
    this.writable = writable;
  }

  declare() {
    const { random } = this;
    const type = random.any(types);
    const name = this.name("v");
    this.line(`${type} ${name} = ${this.e(type)};`);
    this.scope.variables.push([name, type]);
    this.writable.push([name, type]);
  }

  array() {
    const type = this.random.any(types.filter(small));
    const count = this.random.any([2, 4, 8, 16]);
    const name = this.name("t");
    this.line(`${type} ${name}[${count}];`);
    const i = this.name("n");
    this.line(
      `for (i32 ${i} = 0; ${i} < ${count}; ${i}++) ${name}[${i}] = (${type})(${i} * ${this.random.below(50)} + (i32)x0);`,
    );
    this.scope.arrays.push([name, type, count]);
  }

  object() {
    const name = this.name("o");
    const { scope } = this;
    if (scope.objects.length > 0 && this.random.chance(50))
      this.line(`Thing ${name} = turn(${this.random.any(scope.objects)}, ${this.e("u32")});`);
    else this.line(`Thing ${name} = make(${this.e("u32")}, ${this.e("i64")}, ${this.e("f64")});`);
    scope.objects.push(name);
  }

  assign() {
    const { random, scope } = this;
    const roll = random.below(10);
    if (roll < 2 && scope.arrays.length > 0) {
      const [name, type, count] = random.any(scope.arrays);
      return this.line(`${name}[${this.e("u32")} & ${count - 1}] = ${this.e(type)};`);
    }
    if (roll < 3 && scope.objects.length > 0) {
      const field = random.any(fieldNames);
      return this.line(`${random.any(scope.objects)}.${field} = ${this.e(fieldType(field))};`);
    }
    if (this.writable.length === 0) return this.declare();
    const [name, type] = random.any(this.writable);
    this.line(`${name} = ${this.e(type, 3)};`);
  }

  loop(depth) {
    const { random } = this;
    const count = random.any([2, 3, 5, 8]);
    if (this.loops * count > 24) return this.assign();
    const before = this.loops;
    this.loops = Math.max(1, this.loops) * count;
    const i = this.name("n");
    const jump = () => this.line(`if ${this.paren(condition(this.scope, 1))} ${random.any(["break", "continue"])};`);
    const body = () => {
      this.scope.variables.push([i, "i32"]);
      if (random.chance(40)) jump();
      this.statements(1 + random.below(3), depth - 1, true);
      if (random.chance(40)) jump();
      if (random.chance(20)) this.statements(1, depth - 1, true);
    };
    if (random.chance(60))
      this.block(`for (i32 ${i} = 0; ${i} < ${random.chance(50) ? count : `(i32)(x1 % ${count + 1})`}; ${i}++)`, body);
    else {
      this.line(`i32 ${i} = ${random.chance(50) ? count : `(i32)(x2 % ${count + 1})`};`);
      if (random.chance(50)) this.block(`while (${i}-- > 0)`, body);
      else this.block("do", body, `} while (--${i} > 0);`);
    }
    this.loops = before;
  }

  paren(text) {
    return text.startsWith("(") ? text : `(${text})`;
  }

  choose(depth) {
    const { random } = this;
    const cases = random.any([3, 5, 8, 12]);
    const sparse = random.chance(25);
    this.block(`switch (${this.e("u32")} % ${cases + 1})`, () => {
      for (let at = 0; at < cases; at++) {
        if (random.chance(15)) continue;
        this.block(`case ${sparse && at > 3 ? at * 1000 : at}:`, () => this.statements(1, depth - 1, false));
        if (random.chance(80)) this.line("break;");
      }
      if (random.chance(50)) this.block("default:", () => this.statements(1, depth - 1, false));
    });
  }

  statements(count, depth, looping) {
    const { random } = this;
    for (let at = 0; at < count; at++) {
      const roll = random.below(100);
      if (depth > 0 && roll < 14) {
        this.block(`if ${this.paren(condition(this.scope, 2))}`, () =>
          this.statements(1 + random.below(3), depth - 1, looping),
        );
        if (random.chance(40)) this.block("else", () => this.statements(1 + random.below(2), depth - 1, looping));
      } else if (depth > 0 && roll < 26) this.loop(depth);
      else if (depth > 0 && roll < 34) this.choose(depth);
      else if (roll < 38) this.array();
      else if (roll < 42) this.object();
      else if (roll < 58) this.declare();
      else if (roll < 61) this.line(`if ${this.paren(condition(this.scope, 1))} return ${this.e(this.result)};`);
      else this.assign();
    }
  }
}

/** A function that can be called in expressions. */
function routine(random, functions, name) {
  const writer = new Writer(random, functions.slice(-2));
  const result = random.any(types);
  const parameters = Array.from({ length: 1 + random.below(4) }, () => random.any(types));
  writer.result = result;
  writer.writable = parameters.map((type, at) => [`p${at}`, type]);
  writer.scope.variables = [...writer.writable, ["x0", "u32"]];
  writer.line("u32 x0 = 3, x1 = 5, x2 = 7;");
  writer.line("x1 += x0 + x2;");
  writer.statements(2 + random.below(5), 2, false);
  writer.line(`return ${writer.e(result, 3)};`);
  const far = random.any(["FAR", "FAR", "BOTH"]);
  return {
    signature: [name, result, parameters],
    text: `${far} ${result} ${name}(${parameters.map((type, at) => `${type} p${at}`).join(", ")}) {\n${writer.lines.join("\n")}\n}\n`,
  };
}

/** A walk by jumps between labels: control flow that no loop statement writes. */
function maze(random, functions, name) {
  const writer = new Writer(random, functions.slice(-2));
  writer.result = "u64";
  writer.writable = [
    ["a", "u32"],
    ["b", "i64"],
    ["c", "f32"],
    ["d", "u16"],
  ];
  writer.scope.variables = [...writer.writable];
  const places = 3 + random.below(6);
  for (let at = 0; at < places; at++) {
    writer.line(`L${at}:`);
    for (let n = random.below(3); n >= 0; n--) writer.assign();
    if (random.chance(80))
      writer.line(`if (--yieldBudget > 0 && ${condition(writer.scope, 1)}) goto L${random.below(places)};`);
    if (random.chance(30)) writer.line(`if ${writer.paren(condition(writer.scope, 1))} return raw(c) ^ a;`);
  }
  writer.line("return raw(a) ^ raw(b) * 3 ^ raw(c) * 5 ^ d;");
  return {
    signature: [name, "u64", ["u32", "i64", "f32"]],
    text: `FAR u64 ${name}(u32 a, i64 b, f32 c) {\n  i32 yieldBudget = 24;\n  u16 d = (u16)a;\n  u32 x0 = a, x1 = 1, x2 = 2;\n${writer.lines.join("\n")}\n}\n`,
  };
}

/** A function that calls itself, and reaches others through a table of pointers. */
function recursion(random, functions, name) {
  const pointed = ["one", "two", "three"].map((each) => {
    const scope = new Scope(random);
    scope.variables = [
      ["a", "u32"],
      ["b", "i64"],
    ];
    return `FAR i64 ${name}_${each}(u32 a, i64 b) { return ${expression(scope, "i64", 3)}; }\n`;
  });
  const scope = new Scope(random, { functions: functions.slice(-2) });
  scope.variables = [
    ["n", "u32"],
    ["a", "u64"],
    ["b", "f32"],
  ];
  const e = (type) => expression(scope, type, 2);
  return {
    signature: [name, "u64", ["u32", "u64", "f32"]],
    text: `typedef i64 (*${name}_way)(u32, i64);
${pointed.join("")}FAR u64 ${name}_down(u32 n, u64 a, f32 b) {
  const ${name}_way ways[3] = {${name}_one, ${name}_two, ${name}_three};
  if (n == 0) return raw(b) ^ a;
  const u64 here = (u64)ways[(a ^ n) % 3](n, (i64)a);
  if ${condition(scope, 1)[0] === "(" ? "" : ""}(${condition(scope, 1)}) return ${name}_down(n - 1, ${e("u64")} ^ here, ${e("f32")}) + ${e("u64")};
  return ${name}_down(n - 1, here, b) * 31 + (n > 2 ? ${name}_down(n / 2, a + n, b) : here);
}
FAR u64 ${name}(u32 n, u64 a, f32 b) { return ${name}_down(n % 6, a, b); }
`,
  };
}

const support = `${structure}
FAR Thing make(u32 a, i64 c, f64 f) {
  Thing o = {};
  o.a = (i32)a;
  o.b = a >> 3;
  o.c = c;
  o.d = (i16)(c >> 5);
  o.e = (u8)(a >> 9);
  o.f = f;
  o.g = (u64)c * a;
  o.h = (f32)f;
  return o;
}
FAR Thing turn(Thing o, u32 by) {
  o.a += (i32)(by & 15);
  o.b ^= by;
  o.c = (i64)((u64)o.c * by);
  o.d = (i16)(o.d - o.e);
  o.f = o.f * 0.5;
  o.g = o.g << 3 | o.e;
  return o;
}
`;

/** A whole program: `run(x)` gives `calls`' digests for the eight words x. */
export function around(calls, definitions = "") {
  const count = calls.length;
  return {
    count,
    text: `#include "prelude.h"
${definitions}
BOTH void run(const u32 *x, u64 *out) {
${calls.map((each, at) => `  out[${at}] = raw(${each});`).join("\n")}
}
#ifdef __CUDACC__
extern "C" __global__ void k(const u32 *in, u64 *out, u32 n) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) run(in + 8 * i, out + ${count} * i);
}
#else
#include <cstdio>
int main() {
  u32 x[8];
  u64 out[${count}];
  while (fread(x, 4, 8, stdin) == 8) {
    run(x, out);
    fwrite(out, 8, ${count}, stdout);
  }
}
#endif
`,
  };
}

/** Random program `seed`. */
export function program(seed, { functions: count = 6 } = {}) {
  const random = new Random(seed);
  const made = [];
  const signatures = [];
  for (let at = 0; at < count; at++) {
    const kind = random.below(10);
    const write = kind < 6 ? routine : kind < 8 ? maze : recursion;
    const one = write(random, signatures, `f${at}`);
    made.push(one.text);
    signatures.push(one.signature);
  }
  const argument = (type, at) => {
    const word = `x[${at % 8}]`;
    const next = `x[${(at + 1) % 8}]`;
    if (type === "f32") return `bits<f32>(${word})`;
    if (type === "f64") return at % 2 ? `bits<f64>((u64)${word} << 32 | ${next})` : `(f64)bits<f32>(${word}) * 1.1`;
    if (integers.indexOf(type) >= 8) return `((${type})${word} << 70) + ((${type})${next} << 17)`;
    return `(${type})((u64)${word} << 32 | ${next})`;
  };
  const calls = signatures.map(
    ([name, , parameters], at) => `${name}(${parameters.map((type, i) => argument(type, at + i)).join(", ")})`,
  );
  return around(calls, `${support}\n${made.join("\n")}`);
}
