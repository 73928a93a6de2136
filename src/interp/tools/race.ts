import type { Diagnostic } from "../../source/diagnostic.ts";
import { type Extent, unlinear } from "../contract/extent.ts";
import type { MemoryOrder, MemoryScope, Space } from "../contract/plan.ts";
import type { Program } from "../contract/program.ts";
import type { Observer, ThreadId } from "../contract/session.ts";
import { windows } from "../contract/window.ts";
import { LANES, lowest } from "../machine/warp.ts";
import {
  joined,
  type Known,
  type Member,
  meet,
  meetAll,
  meetTeams,
  meetWarp,
  nothing,
  Team,
  type When,
} from "./order.ts";

/** An access to one word that a later one may conflict with. */
interface Access extends When {
  readonly pc: number;
  /** Which of the word's four bytes, a bit each. */
  readonly bytes: number;
  /** Morally strong with others of its kind: those do not race (PTX ISA 8.7). */
  readonly strong: boolean;
  /** The instruction's turn, so that lanes that store one value together are not at odds. */
  readonly turn: number;
  readonly value: bigint | undefined;
}

/** What is known of a word of memory. */
interface Word {
  /** The last store to each byte; one entry where they are the same. */
  writes: Access[];
  /** Loads since then, one a thread and instruction. */
  reads: Access[];
  /** What a thread that acquires here comes to know, and whose block alone may when the scope is a block. */
  released: { readonly known: Known; readonly block: number | undefined } | undefined;
  /** Shared memory goes with its block. */
  readonly shared: boolean;
}

/** Who accesses what: an address of a space, and where it lies in the memory's buffer. */
interface Place {
  readonly at: ThreadId;
  readonly space: Space;
  readonly address: bigint;
  readonly bytes: number;
  readonly where: number;
}

/** Loads that are kept of one word; a store that races with more than these races with one of them too. */
const MOST_READS = 64;

interface Told {
  readonly program: Program;
  readonly grid: Extent;
  readonly block: Extent;
  report(finding: Diagnostic): void;
}

/**
 * Finds data races in shared and global memory (PTX ISA 8.7.1): two accesses to one byte by two threads, at least one
 * a store, not both strong, with nothing that orders them: no barrier, no instruction among lanes, no release that the
 * other acquired. A race is found whatever order this run happened to take.
 */
export class RaceDetector implements Observer {
  readonly #told: Told;
  readonly #threads: number;
  readonly #teams = new Map<number, Team>();
  readonly #words = new Map<number, Word>();
  readonly #reported = new Set<string>();
  #pc = 0;
  #turn = 0;

  constructor(told: Told) {
    this.#told = told;
    this.#threads = told.block[0] * told.block[1] * told.block[2];
  }

  instruction(_block: number, _warp: number, pc: number): void {
    this.#pc = pc;
    this.#turn++;
  }

  end(block: number): void {
    this.#team(block).ended = true;
  }

  rewound(): void {
    this.#teams.clear();
    this.#words.clear();
  }

  barrier(block: number, _id: number, arrived: Uint32Array, whole: boolean): void {
    const team = this.#team(block);
    if (whole) meetAll(team);
    else meet([...arrived].flatMap((lanes, warp) => members(team, warp, lanes)));
  }

  cluster(blocks: readonly number[]): void {
    meetTeams(blocks.map((block) => this.#team(block)));
  }

  meet(block: number, warp: number, lanes: number): void {
    const team = this.#team(block);
    const all = lowest(Math.min(LANES, this.#threads - warp * LANES));
    if (lanes === all) meetWarp(team, warp, members(team, warp, lanes));
    else meet(members(team, warp, lanes));
  }

  fence(block: number, warp: number, lanes: number): void {
    for (const member of members(this.#team(block), warp, lanes)) fence(member);
  }

  load(
    at: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    sem: MemoryOrder,
    scope: MemoryScope,
    where: number,
  ): void {
    const how = { strong: sem !== "weak", value: undefined };
    this.#access({ at, space, address, bytes, where }, how, (word, access) => {
      this.#judge(word.writes, access, "reads");
      remember(word, access);
      if (sem !== "weak") acquire(access.member, word, sem, scope);
    });
  }

  store(
    at: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    sem: MemoryOrder,
    scope: MemoryScope,
    where: number,
    value: bigint,
  ): void {
    let known: Known | undefined;
    const how = { strong: sem !== "weak", value };
    this.#access({ at, space, address, bytes, where }, how, (word, access) => {
      this.#write(word, access);
      known ??= sem === "release" ? access.member.publish() : sem === "weak" ? undefined : access.member.fenced;
      word.released = known && { known, block: scope === "cta" ? at.block : undefined };
    });
  }

  atomic(
    at: ThreadId,
    space: Space,
    address: bigint,
    bytes: number,
    sem: MemoryOrder,
    scope: MemoryScope,
    where: number,
  ): void {
    let known: Known | undefined;
    this.#access({ at, space, address, bytes, where }, { strong: true, value: undefined }, (word, access) => {
      const { member } = access;
      this.#write(word, access);
      acquire(member, word, sem === "acq_rel" ? "acquire" : sem, scope);
      known ??= sem === "release" || sem === "acq_rel" ? member.publish() : member.fenced;
      // An atomic carries on what was released here before it (a release sequence).
      const block = scope === "cta" ? at.block : undefined;
      if (known !== undefined) word.released = { known: joined(word.released?.known ?? nothing, known), block };
    });
  }

  /** Calls `each` for every word of an access to memory that threads share. */
  #access(
    { at, space, address, bytes, where }: Place,
    how: Pick<Access, "strong" | "value">,
    each: (word: Word, access: Access) => void,
  ): void {
    const shared = sharing(space, address);
    if (shared === undefined || where < 0) return;
    const now = { ...this.#team(at.block).member(at.warp, at.lane).stamp(), ...how, pc: this.#pc, turn: this.#turn };
    for (let from = where & ~3; from < where + bytes; from += 4) {
      const first = Math.max(where - from, 0);
      const last = Math.min(where + bytes - from, 4);
      each(this.#word(from, shared), { ...now, bytes: ((1 << last) - 1) & ~((1 << first) - 1) });
    }
  }

  #write(word: Word, access: Access): void {
    this.#judge(word.writes, access, "writes");
    this.#judge(word.reads, access, "writes");
    const untouched = ({ bytes }: Access): boolean => (bytes & access.bytes) === 0;
    word.writes = [...word.writes.filter(untouched), access];
    word.reads = word.reads.filter(untouched);
  }

  #judge(before: readonly Access[], now: Access, does: "reads" | "writes"): void {
    for (const other of before) {
      if ((other.bytes & now.bytes) === 0 || (other.strong && now.strong) || now.member.follows(other)) continue;
      // Lanes that store together, and the same, leave no doubt about what is stored.
      if (other.turn === now.turn && other.value !== undefined && other.value === now.value) continue;
      this.#tell(other, now, does);
    }
  }

  #tell(other: Access, now: Access, does: "reads" | "writes"): void {
    const pair = `${Math.min(other.pc, now.pc)} ${Math.max(other.pc, now.pc)}`;
    if (this.#reported.has(pair)) return;
    this.#reported.add(pair);
    const { program } = this.#told;
    const [mine, its] = [program.code[now.pc]!, program.code[other.pc]!];
    const did = its.plan.shape === "load" ? "read" : "written";
    this.#told.report({
      code: "PTX4002",
      severity: "warning",
      message: `${mine.opcode} ${does} what ${this.#who(other)} has ${did} by ${its.opcode}, and nothing orders the two, in ${this.#who(now)}`,
      source: program.source,
      span: mine.span,
      related: [{ source: program.source, span: its.span, message: `${its.opcode}, in ${this.#who(other)}` }],
      help: [{ message: "order them by a barrier, by an instruction among lanes, or by a release and an acquire" }],
    });
  }

  #who({ member }: When): string {
    const { grid, block } = this.#told;
    const thread = unlinear(member.warp * LANES + member.lane, block).join(",");
    return `thread (${thread}) of block (${unlinear(member.team.block, grid).join(",")})`;
  }

  #team(block: number): Team {
    let team = this.#teams.get(block);
    if (team === undefined) {
      team = new Team(block);
      this.#teams.set(block, team);
    }
    return team;
  }

  #word(from: number, shared: boolean): Word {
    let word = this.#words.get(from);
    // The room of a block that has ended is another block's now.
    const owner = word?.writes[0] ?? word?.reads[0];
    if (word === undefined || word.shared !== shared || (shared && owner?.member.team.ended)) {
      word = { writes: [], reads: [], released: undefined, shared };
      this.#words.set(from, word);
    }
    return word;
  }
}

/** True for shared memory, false for global; undefined for memory that a thread has to itself or nobody writes. */
function sharing(space: Space, address: bigint): boolean | undefined {
  if (space === "shared") return true;
  if (space === "global") return false;
  if (space !== "generic") return undefined;
  const window = Number(address >> 32n);
  return window === windows.shared ? true : window === windows.global ? false : undefined;
}

function members(team: Team, warp: number, lanes: number): Member[] {
  const found: Member[] = [];
  for (let lane = 0; lane < LANES; lane++) if ((lanes >>> lane) & 1) found.push(team.member(warp, lane));
  return found;
}

/** Keeps a load until the word is stored to. A thread's own earlier load of it by the same instruction says no more. */
function remember(word: Word, access: Access): void {
  const same = word.reads.findIndex(
    ({ member, pc, bytes }) => member === access.member && pc === access.pc && bytes === access.bytes,
  );
  if (same >= 0) word.reads[same] = access;
  else {
    if (word.reads.length >= MOST_READS) word.reads.shift();
    word.reads.push(access);
  }
}

/** What was released here is known: at once to an acquire, from the next fence on to a relaxed load. */
function acquire(member: Member, { released }: Word, sem: MemoryOrder, scope: MemoryScope): void {
  if (released === undefined) return;
  const { block } = member.team;
  // A scope of one block orders nothing for another block.
  const near = released.known.blocks.has(block);
  if ((released.block !== undefined && released.block !== block) || (scope === "cta" && !near)) return;
  if (sem === "acquire") member.known = joined(member.known, released.known);
  else member.pending = joined(member.pending, released.known);
}

function fence(member: Member): void {
  member.known = joined(member.known, member.pending);
  member.pending = nothing;
  member.fenced = member.publish();
}
