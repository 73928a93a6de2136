/**
 * What the page asks of whoever reads and runs programs: the worker, or in a test something that answers at once. Everything
 * that is passed is plain data that `postMessage` can copy. Offsets are UTF-16 units of the text, lines count from 1, and a
 * `pc` is an index into the program's instructions.
 */
export interface Client {
  /** The words that the table knows, for colours. */
  words(): Promise<Words>;
  /** The program in a file's bytes: text, or the PTX that a binary holds; or why there is none. */
  read(name: string, bytes: Uint8Array): Promise<{ readonly text: string } | { readonly wrong: string }>;
  /** What is wrong with a text, while somebody types. */
  problems(text: Text): Promise<readonly Problem[]>;
  complete(text: Text, offset: number): Promise<Completions | undefined>;
  hover(text: Text, offset: number): Promise<Hover | undefined>;
  /** The page of a diagnostic's code, which is loaded when somebody asks for it. */
  codePage(code: string): Promise<CodePage | undefined>;

  /**
   * Reads a project and stands before its first instruction, or as far behind it as `steps` warp instructions lead; a launch that was
   * there before is given up. What fields leave open is inferred; where something is missing then, nothing runs.
   */
  load(project: Project, steps?: number): Promise<Loaded>;
  /** Moves through the launch; answers when it has stopped. A `stop` or another `load` ends it early. */
  move(move: Move): Promise<State>;
  /** Ends the load or the move that is going on; it answers with where it stands. */
  stop(): void;
  /** Lines where `run` and `runBack` stop; gives those that have an instruction, moved down to it. */
  breakpoints(lines: readonly number[]): Promise<readonly number[]>;
  /** Looks at another thread. */
  focus(thread: Thread): Promise<State>;
  /** All lanes of the focused warp. */
  lanes(): Promise<LaneRegisters>;
  /** Bytes of memory as they are now; shorter where memory ends. */
  memory(space: Space, address: bigint, bytes: number): Promise<MemoryBytes>;
  /** What all warps have executed up to the furthest position. */
  strip(): Promise<Strip>;
  /** What the focused thread has done up to the position; undefined when that was asked again meanwhile. */
  values(): Promise<LineValues | undefined>;
  /** The last times that the focused thread was in a line; undefined where it was never. */
  lineHistory(line: number): Promise<LineHistory | undefined>;
  /** The instruction at a line worked through with the focused thread's values; by default the next one. */
  explain(line?: number): Promise<Explanation | undefined>;
  /**
   * The instruction that wrote a value, or made it NaN or infinite, by which thread; undefined where nothing that ran has, and where
   * values are not followed back.
   */
  origin(place: ValuePlace, type: string): Promise<Origin | undefined>;
  /** Every outcome of the launch that the memory model allows. */
  outcomes(): Promise<Outcomes>;
  /** An execution that ends in an outcome, by its row in those that were listed last, and what would forbid it. */
  outcomeDetail(row: number): Promise<string | undefined>;
  /** Called while a move goes on, every 100 ms or so. */
  onProgress: ((position: number) => void) | undefined;
}

/** A text; a name that ends in `.visaasm` is Intel vISA, any other PTX. */
export interface Text {
  readonly name: string;
  readonly text: string;
}

/** A text and how it is launched: all that a link holds. */
export interface Project extends Text {
  readonly inputs: Inputs;
}

/** What somebody has typed into the fields, as `ptxrun run` takes it; an empty text is a field that was left alone. */
export interface Inputs {
  /** `--entry` */
  readonly entry: string;
  /** `--grid`, `--block`: `2` or `8,8`. */
  readonly grid: string;
  readonly block: string;
  /** `--smem` */
  readonly smem?: string;
  /** By the name of a parameter (`-a`), a register (`-r`) or a variable (`--global`): `f32x4:1,2,3,4`. */
  readonly values: Readonly<Record<string, string>>;
  /** Looks for races in long runs too; in short ones that is done anyway. */
  readonly race: boolean;
}

/** What fields hold that were left alone. */
export interface Inferred {
  readonly grid: string;
  readonly block: string;
  readonly smem: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A field that can be wrong. */
export type Field = "entry" | "grid" | "block" | "smem" | `value:${string}`;

export interface FieldProblem {
  readonly field: Field;
  readonly problem: Problem;
}

export type Severity = "error" | "warning" | "note";

/** A diagnostic with its places as offsets into the text. */
export interface Problem {
  readonly code: string;
  /** Of a finding: what its code is called, `data race`. */
  readonly title?: string;
  readonly severity: Severity;
  readonly message: string;
  readonly from: number;
  readonly to: number;
  readonly expected?: string;
  readonly related: readonly { readonly from: number; readonly to: number; readonly message: string }[];
  readonly help: readonly { readonly message: string; readonly replace?: Replacement }[];
  /** Anchor of the manual's section. */
  readonly manual?: string;
}

export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Words {
  readonly mnemonics: readonly string[];
  /** Without their dots, types included. */
  readonly modifiers: readonly string[];
  /** With their dots. */
  readonly directives: readonly string[];
  /** With their percent signs: `%tid`. */
  readonly specials: readonly string[];
}

export interface Completions {
  /** Where the text begins that a choice replaces. */
  readonly from: number;
  readonly items: readonly {
    readonly label: string;
    readonly kind: "mnemonic" | "modifier" | "directive" | "register" | "label" | "special" | "symbol";
    readonly detail?: string;
    readonly about?: string;
    /** What is put in, where that is not the label. */
    readonly insert?: string;
  }[];
}

/** Lines of text; one of kind `code` stands in the typeface of the editor. */
export interface Hover {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly { readonly kind: "code" | "text"; readonly text: string }[];
}

/** A page about a code: why it is wrong, and both sides of an example. */
export interface CodePage {
  readonly code: string;
  readonly title: string;
  readonly text: string;
  readonly wrong?: string;
  readonly right?: string;
}

/** What a program asks its launch for. */
export interface Demand {
  readonly name: string;
  readonly kind: "parameter" | "register" | "variable" | "carry";
  readonly type: string;
  /** A value of the right form: `f32x32:iota`. */
  readonly example: string;
}

export interface Loaded {
  /** What is wrong with the text. */
  readonly problems: readonly Problem[];
  /** What is wrong with the fields. */
  readonly fields: readonly FieldProblem[];
  /** Kernels and functions that `entry` may name. */
  readonly entries: readonly string[];
  readonly demands: readonly Demand[];
  /** Undefined where nothing was left open, or nothing fits. */
  readonly inferred: Inferred | undefined;
  /** Demands that have no value at all. */
  readonly missing: readonly string[];
  /** Where each instruction stands in the text, by pc. */
  readonly code: readonly { readonly from: number; readonly to: number; readonly line: number }[];
  /** Where it stands; undefined when it cannot run. */
  readonly state: State | undefined;
  /** Of a litmus test, which has no launch. */
  readonly outcomes?: Outcomes;
}

export type Move =
  | { readonly kind: "step" | "stepBack" | "over" | "overBack" | "out" | "outBack" | "run" | "runBack" | "restart" }
  | { readonly kind: "goTo"; readonly position: number };

/** Linear indices; the thread's own index in its block is `warp * lanes + lane`. */
export interface Thread {
  readonly block: number;
  readonly warp: number;
  readonly lane: number;
}

/** Where a launch stands, and what a person sees of it at once. */
export interface State {
  /** Warp instructions executed, and the furthest that was reached. */
  readonly position: number;
  readonly furthest: number;
  readonly stop: Stop;
  readonly focus: Thread;
  /** Threads of a warp, of a block, and blocks of the launch. */
  readonly lanes: number;
  readonly threads: number;
  readonly blocks: number;
  /** What the focused thread is about to execute; undefined when it has ended. */
  readonly pc: number | undefined;
  readonly line: number | undefined;
  /** Functions that the focused thread is in, innermost first. */
  readonly frames: readonly { readonly name: string; readonly line: number | undefined }[];
  /** Registers of the focused thread, in the order of their declaration. */
  readonly registers: readonly RegisterValue[];
  readonly warps: readonly WarpPlaces[];
  readonly barriers: readonly BarrierState[];
  readonly buffers: readonly BufferPlace[];
  /** Races and the like that were found up to here. */
  readonly findings: readonly Problem[];
  /** Whether races are among what is looked for. */
  readonly race: boolean;
  /** Where it has ended, or has been stopped: memory whose contents are others than before the launch. */
  readonly written: readonly Written[];
  /** There, too: floats that are NaN or infinite, where no input is. */
  readonly strange: readonly Strange[];
  /** What printf has printed up to here. */
  readonly printed: string;
  /** Whether threads read what others write by relaxed or volatile loads, which may see it in other orders. */
  readonly relaxed: boolean;
}

/** Memory that a launch has changed. */
export interface Written {
  readonly name: string;
  readonly type: string;
  /** Elements, and those that are others than before. */
  readonly count: number;
  readonly changed: number;
}

/** A buffer, or a register of the focused warp, with values that are no ordinary numbers. */
export interface Strange {
  readonly name: string;
  readonly type: string;
  /** Elements, and those that are NaN or infinite. */
  readonly count: number;
  readonly nan: number;
  readonly infinite: number;
  readonly first: ValuePlace;
}

/** Where a value stands. */
export type ValuePlace =
  | { readonly kind: "memory"; readonly space: Space; readonly address: bigint; readonly bytes: number }
  | { readonly kind: "register"; readonly name: string; readonly thread: Thread };

/** An execution of an instruction: the position before it. */
export interface Origin {
  readonly position: number;
  readonly thread: Thread;
}

/** Why it stands where it stands; `text` says so in one line. `bound`: it was to go no further by itself. */
export interface Stop {
  readonly reason: "start" | "step" | "interrupt" | "bound" | "breakpoint" | "watchpoint" | "catch" | "fault" | "exit";
  readonly text: string;
  /** Of a fault. */
  readonly problem?: Problem;
}

export interface RegisterValue {
  readonly name: string;
  readonly type: string;
  /** Of an element, bits. */
  readonly width: number;
  readonly bits: readonly bigint[];
  readonly written: boolean;
  /** Since the last move. */
  readonly changed: boolean;
}

export interface LaneRegisters {
  /** Lanes that exist, and those that are about to execute the next instruction. */
  readonly live: number;
  readonly active: number;
  readonly registers: readonly {
    readonly name: string;
    readonly type: string;
    readonly width: number;
    /** By lane; undefined for a lane that is not there. Vectors are one number, first element lowest. */
    readonly bits: readonly (bigint | undefined)[];
  }[];
}

export interface WarpPlaces {
  readonly block: number;
  readonly warp: number;
  readonly threads: number;
  readonly live: number;
  readonly groups: readonly {
    readonly mask: number;
    readonly pc: number;
    readonly line: number | undefined;
    /** `runs`, `next in turn`, `waits at barrier 0`. */
    readonly does: string;
  }[];
}

export interface BarrierState {
  readonly block: number;
  readonly number: number;
  readonly threads: number;
  /** By warp: lanes that have arrived. */
  readonly arrived: readonly number[];
}

export type Space = "global" | "shared" | "local" | "const" | "param";

/** Memory that has a name. */
export interface BufferPlace {
  readonly name: string;
  /** Of an element: `f32`. */
  readonly type: string;
  readonly space: Space;
  readonly address: bigint;
  readonly bytes: number;
  /** Of its elements, along x and then y, where it has two dimensions. */
  readonly wide?: readonly [x: number, y: number];
}

export interface MemoryBytes {
  readonly bytes: Uint8Array;
  /** The same bytes before the launch, where those are known. */
  readonly before?: Uint8Array;
  /** By byte: 1 where something has been written, where that is known. */
  readonly written?: Uint8Array;
}

/** What a thread has last done in each line where it has been. */
export interface LineValues {
  /** The position of which they are; less than the present one where that is too far to execute a launch a second time. */
  readonly position: number;
  readonly lines: readonly LineValue[];
}

/** What the focused thread last did in a line. */
export interface LineValue {
  readonly line: number;
  readonly text: string;
  /** Whether the thread was there without executing it. */
  readonly kept: boolean;
}

export interface LineHistory {
  /** How often the thread was there. */
  readonly times: number;
  /** The last times, the latest first; the position is the one behind it. */
  readonly last: readonly { readonly position: number; readonly text: string; readonly kept: boolean }[];
  /** Registers that the line writes. */
  readonly registers: readonly string[];
}

/** By step of all warps: when it was, which warp of the launch, what it executed and by which lanes. */
export interface Strip {
  /** The position up to which it goes. */
  readonly end: number;
  /** Of so many steps about one is there. */
  readonly grain: number;
  readonly positions: Uint32Array;
  readonly warps: Uint32Array;
  readonly pcs: Uint32Array;
  readonly active: Uint32Array;
}

/** What a small launch, or a litmus test, may end in. */
export interface Outcomes {
  /** `4 outcomes of 4 executions` */
  readonly title: string;
  /** What a litmus test says of its outcomes, whether that is so, and by which axiom. */
  readonly claims: readonly {
    readonly text: string;
    readonly holds: boolean | undefined;
    readonly why: string | undefined;
  }[];
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly count: number; readonly marked: boolean }[];
  /** What is so of marked rows. */
  readonly mark: string;
  readonly notes: readonly string[];
  /** Why there are none. */
  readonly problems: readonly Problem[];
}

/** An instruction in words, and what becomes of its operands' values. */
export interface Explanation {
  /** As the program writes it. */
  readonly text: string;
  readonly line: number;
  /** The manual's syntax line, what it means, since when. */
  readonly syntax: string | undefined;
  readonly does: string | undefined;
  readonly since: string | undefined;
  /** The exact working, or why there is none. */
  readonly rows: readonly WorkingRow[];
  /** Of an access to memory that comes next: where it leads, what is there, and its transactions. */
  readonly memory: readonly WorkingRow[];
  /** Of a multiplication of matrices. */
  readonly fragments: readonly FragmentMap[];
  /** Where it has ended: the position before the thread was last here. */
  readonly last: number | undefined;
}

/** A matrix that a warp holds in its registers: where each element is. */
export interface FragmentMap {
  readonly name: string;
  readonly type: string;
  readonly rows: number;
  readonly columns: number;
  /** Of an element in its register. */
  readonly bits: number;
  /** Elements that a lane holds. */
  readonly count: number;
  /** By position, row by row, and matrix by matrix where there are several: `lane * count + element`. */
  readonly holders: Int32Array;
  /** By position, what it is now; none where the thread has ended. */
  readonly values: readonly string[];
  /** A lane's registers, as the program calls them. */
  readonly registers: readonly string[];
  /** Row and column of a lane's elements, in the manual's words. */
  readonly layout: readonly string[];
}

export interface WorkingRow {
  readonly label: string;
  readonly text: string;
  readonly inner?: readonly WorkingRow[];
  /** Bits that the row is about, with the fields of each float in them, highest first. */
  readonly value?: { readonly type: string; readonly bits: bigint; readonly width: number };
}
