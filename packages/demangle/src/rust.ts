import { malformed, Output } from "./itanium/output.ts";
import { fromPunycode } from "./punycode.ts";
import { isLower, Reader } from "./reader.ts";

const basicTypes: ReadonlyMap<string, string> = new Map(
  (
    "a:i8 b:bool c:char d:f64 e:str f:f32 h:u8 i:isize j:usize l:i32 m:u32 n:i128 o:u128 p:_ s:i16 t:u16 u:() v:... " +
    "x:i64 y:u64 z:!"
  )
    .split(" ")
    .map((each) => [each.slice(0, 1), each.slice(2)]),
);

/** A Rust name being read and written in one pass; later parts may refer to earlier ones by position. */
class RustReader extends Reader {
  readonly out = new Output<never>();
  /** The position that references count from. */
  readonly #start: number;
  /** Lifetimes that `for<'a>` around this place names. */
  #lifetimes = 0;
  /** True within parts that are read and not written. */
  #silent = false;

  constructor(text: string, start: number) {
    super(text);
    this.at = start;
    this.#start = start;
  }

  put(text: string): void {
    if (!this.#silent) this.out.put(text);
  }

  /** Reads without writing. */
  skip(rule: () => void): void {
    const { out } = this;
    const silent = this.#silent;
    this.#silent = true;
    out.enter();
    rule();
    out.leave();
    this.#silent = silent;
  }

  /** A path; in an expression the arguments of a generic function follow `::`. */
  path(inValue: boolean): void {
    this.out.enter();
    const letter = this.take();
    switch (letter) {
      case "C":
        this.#disambiguator();
        this.put(this.#identifier());
        break;
      case "N":
        this.#within(inValue);
        break;
      case "M":
      case "X":
        this.#disambiguator();
        this.skip(() => this.path(false));
        this.#inherent(letter === "X");
        break;
      case "Y":
        this.#inherent(true);
        break;
      case "I":
        this.path(inValue);
        this.put(inValue ? "::<" : "<");
        this.#list("E", () => this.#genericArgument());
        this.put(">");
        break;
      case "B":
        this.#reference(() => this.path(inValue));
        break;
      default:
        throw malformed;
    }
    this.out.leave();
  }

  /** `<Type>`, `<Type as Trait>`. */
  #inherent(trait: boolean): void {
    this.put("<");
    this.#type();
    if (trait) {
      this.put(" as ");
      this.path(false);
    }
    this.put(">");
  }

  /** A name within a path: `::name`, or `::{closure#0}` for an unnamed part. */
  #within(inValue: boolean): void {
    const kind = this.take();
    this.path(inValue);
    const which = this.#disambiguator();
    const name = this.#identifier();
    if (isLower(kind)) {
      if (name !== "") this.put(`::${name}`);
      return;
    }
    const word = kind === "C" ? "closure" : kind === "S" ? "shim" : kind;
    this.put(`::{${word}${name === "" ? "" : `:${name}`}#${which}}`);
  }

  #genericArgument(): void {
    if (this.takes("L")) this.#lifetime(this.#base62());
    else if (this.takes("K")) this.#constant();
    else this.#type();
  }

  #type(): void {
    this.out.enter();
    const letter = this.peek();
    const basic = basicTypes.get(letter);
    this.at++;
    if (basic !== undefined) this.put(basic);
    else if (letter === "R" || letter === "Q") {
      this.put("&");
      if (this.takes("L")) {
        const index = this.#base62();
        if (index !== 0) {
          this.#lifetime(index);
          this.put(" ");
        }
      }
      if (letter === "Q") this.put("mut ");
      this.#type();
    } else if (letter === "P" || letter === "O") {
      this.put(letter === "P" ? "*const " : "*mut ");
      this.#type();
    } else if (letter === "A" || letter === "S") {
      this.put("[");
      this.#type();
      if (letter === "A") {
        this.put("; ");
        this.#constant();
      }
      this.put("]");
    } else if (letter === "T") {
      this.put("(");
      const count = this.#list("E", () => this.#type());
      this.put(count === 1 ? ",)" : ")");
    } else if (letter === "F") this.#binder(() => this.#function());
    else if (letter === "D") this.#dynamic();
    else if (letter === "B") this.#reference(() => this.#type());
    else {
      this.at--;
      this.path(false);
    }
    this.out.leave();
  }

  /** `unsafe extern "C" fn(i32) -> u8`. */
  #function(): void {
    if (this.takes("U")) this.put("unsafe ");
    if (this.takes("K")) this.put(`extern "${this.takes("C") ? "C" : this.#identifier().replaceAll("_", "-")}" `);
    this.put("fn(");
    this.#list("E", () => this.#type());
    this.put(")");
    if (this.takes("u")) return;
    this.put(" -> ");
    this.#type();
  }

  /** `dyn Trait<Item = T> + Send + 'a`. */
  #dynamic(): void {
    this.put("dyn ");
    this.#binder(() => this.#list("E", () => this.#trait(), " + "));
    this.expect("L");
    const index = this.#base62();
    if (index === 0) return;
    this.put(" + ");
    this.#lifetime(index);
  }

  #trait(): void {
    let open = this.#openPath();
    while (this.takes("p")) {
      this.put(open ? ", " : "<");
      open = true;
      this.put(`${this.#identifier()} = `);
      this.#type();
    }
    if (open) this.put(">");
  }

  /** A path whose generic arguments may be followed by others: true if their list is still open. */
  #openPath(): boolean {
    let open = false;
    this.out.enter();
    if (this.takes("B")) this.#reference(() => (open = this.#openPath()));
    else if (this.takes("I")) {
      this.path(false);
      this.put("<");
      this.#list("E", () => this.#genericArgument());
      open = true;
    } else this.path(false);
    this.out.leave();
    return open;
  }

  /** `for<'a, 'b> `, and the type that it binds. */
  #binder(rule: () => void): void {
    const count = this.takes("G") ? this.#base62() + 1 : 0;
    const outer = this.#lifetimes;
    if (count > 1000) throw malformed;
    if (count > 0) {
      this.put("for<");
      for (let each = 0; each < count; each++) {
        if (each > 0) this.put(", ");
        this.#lifetimes++;
        this.#lifetime(1);
      }
      this.put("> ");
    }
    rule();
    this.#lifetimes = outer;
  }

  /** Lifetimes are counted from the innermost; 0 is `'_`. */
  #lifetime(index: number): void {
    const depth = this.#lifetimes - index;
    if (index === 0) this.put("'_");
    else if (depth < 0) throw malformed;
    else this.put(depth < 26 ? `'${String.fromCharCode(97 + depth)}` : `'_${depth}`);
  }

  #constant(): void {
    this.out.enter();
    const letter = this.take();
    if (letter === "B") this.#reference(() => this.#constant());
    else if (letter === "p") this.put("_");
    else if ("htmyojbcaslxni".includes(letter)) this.put(constantText(letter, this.takes("n"), this.#hexadecimal()));
    else throw malformed;
    this.out.leave();
  }

  #hexadecimal(): string {
    const start = this.at;
    while (!this.takes("_")) if (!/^[\da-f]$/.test(this.take())) throw malformed;
    return this.text.slice(start, this.at - 1);
  }

  /** Something at an earlier place, read once more. */
  #reference(rule: () => void): void {
    const target = this.#base62() + this.#start;
    const { at } = this;
    // A reference to this position would refer to itself.
    if (target >= at - 1) throw malformed;
    if (this.#silent) return;
    this.at = target;
    rule();
    this.at = at;
  }

  /** Items with commas up to an end; returns their count. */
  #list(end: string, rule: () => void, comma = ", "): number {
    let count = 0;
    while (!this.takes(end)) {
      if (count++ > 0) this.put(comma);
      rule();
    }
    return count;
  }

  #disambiguator(): number {
    return this.takes("s") ? this.#base62() + 1 : 0;
  }

  #base62(): number {
    if (this.takes("_")) return 0;
    let number = 0;
    for (;;) {
      const character = this.take();
      if (character === "_") return number + 1;
      const digit = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(character);
      if (digit < 0) throw malformed;
      number = Math.min(number * 62 + digit, Number.MAX_SAFE_INTEGER / 100);
    }
  }

  #identifier(): string {
    const coded = this.takes("u");
    const length = this.peek() === "0" ? Number(this.take()) : this.number();
    this.takes("_");
    const text = this.text.slice(this.at, this.at + length);
    if (text.length < length) throw malformed;
    this.at += length;
    if (!coded) return text;
    const cut = text.lastIndexOf("_");
    return fromPunycode(text.slice(0, Math.max(0, cut)), text.slice(cut + 1));
  }
}

function constantText(type: string, negative: boolean, digits: string): string {
  const value = BigInt(digits === "" ? "0x0" : `0x${digits}`);
  if (type === "b") {
    if (value > 1n) throw malformed;
    return value === 1n ? "true" : "false";
  }
  if (type === "c") {
    if (value > 0x10_ffffn || (value >= 0xd800n && value < 0xe000n)) throw malformed;
    return `'${String.fromCodePoint(Number(value))}'`;
  }
  return `${negative ? "-" : ""}${digits.length > 16 ? `0x${digits}` : value}`;
}

/** A Rust name of the v0 mangling, `_R...`. Throws `malformed` where the text is none, or stands for a name too long. */
export function demangleRust(text: string): string {
  if (!text.startsWith("_R") || /^_R\d/.test(text)) throw malformed;
  // Compilers add suffixes behind a character that no name has.
  const end = text.search(/[.$]/);
  const reader = new RustReader(end < 0 ? text : text.slice(0, end), 2);
  reader.path(true);
  if (!reader.done) reader.skip(() => reader.path(false));
  if (!reader.done) throw malformed;
  return reader.out.text;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["SP", "@"],
  ["BP", "*"],
  ["RF", "&"],
  ["LT", "<"],
  ["GT", ">"],
  ["LP", "("],
  ["RP", ")"],
  ["C", ","],
]);

/**
 * A Rust name of the legacy mangling, `_ZN4core3fmt17h0123456789abcdefE`: C++'s mangling with a hash as the
 * last name.
 */
export function demangleOldRust(text: string): string {
  if (!text.startsWith("_ZN") || !/17h[\da-f]{16}E(?:[.@]|$)/.test(text)) throw malformed;
  const reader = new Reader(text);
  reader.at = 3;
  const names: string[] = [];
  while (!reader.takes("E")) names.push(reader.counted());
  const hash = names.pop() ?? "";
  if (names.length === 0 || new Set(hash.slice(1)).size < 5) throw malformed;
  return names.map(unescaped).join("::");
}

function unescaped(name: string): string {
  const text = name.startsWith("_$") ? name.slice(1) : name;
  return text
    .replace(/\$(?:u([\da-f]{1,6})|([A-Z]{1,2}))\$/g, (all, code: string | undefined, word: string | undefined) => {
      if (code === undefined) return escapes.get(word ?? "") ?? all;
      const point = Number.parseInt(code, 16);
      return point > 0x1f && point < 0xd800 ? String.fromCodePoint(point) : all;
    })
    .replaceAll("..", "::");
}
