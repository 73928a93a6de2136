/**
 * What one thread knows to have happened before it (PTX ISA 8.9): of some threads everything up to a count of their
 * own, of whole warps and blocks everything before one of their meetings. Never changed once made.
 */
export interface Known {
  /** By thread: everything up to this count of its own. */
  readonly threads: ReadonlyMap<number, number>;
  /** By warp: everything before this meeting of all its lanes. */
  readonly warps: ReadonlyMap<number, number>;
  /** By block: everything before this barrier of all its threads. */
  readonly blocks: ReadonlyMap<number, number>;
}

export const nothing: Known = { threads: new Map(), warps: new Map(), blocks: new Map() };

/** What both know. */
export function joined(a: Known, b: Known): Known {
  if (a === b || b === nothing) return a;
  if (a === nothing) return b;
  return {
    threads: later(a.threads, b.threads),
    warps: later(a.warps, b.warps),
    blocks: later(a.blocks, b.blocks),
  };
}

function later(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  let made: Map<number, number> | undefined;
  for (const [who, when] of b) {
    if ((a.get(who) ?? -1) >= when) continue;
    made ??= new Map(a);
    made.set(who, when);
  }
  return made ?? a;
}

/** The threads of a block, as far as they order each other. */
export class Team {
  readonly block: number;
  /** Barriers of all threads so far. */
  barriers = 0;
  ended = false;
  /** What all its threads know of other blocks. */
  known: Known = nothing;
  /** By warp: meetings of all its lanes so far. */
  readonly meetings: number[] = [];
  readonly #members: (Member | undefined)[] = [];

  constructor(block: number) {
    this.block = block;
  }

  member(warp: number, lane: number): Member {
    const index = warp * 32 + lane;
    let member = this.#members[index];
    if (member === undefined) {
      member = new Member(this, warp, lane);
      this.#members[index] = member;
    }
    return member;
  }

  get members(): readonly Member[] {
    return this.#members.filter((member) => member !== undefined);
  }
}

/** One thread. */
export class Member {
  readonly team: Team;
  readonly warp: number;
  readonly lane: number;
  /** Unique in the launch; a block has 1024 threads at most. */
  readonly id: number;
  /** Counts the moments from which on others may know what it did. */
  count = 0;
  known: Known;
  /** What it has read of others' releases, and knows from its next fence on. */
  pending: Known = nothing;
  /** What it knew at its last fence: what its later relaxed stores release; undefined before the first one. */
  fenced: Known | undefined;

  constructor(team: Team, warp: number, lane: number) {
    this.team = team;
    this.warp = warp;
    this.lane = lane;
    this.known = team.known;
    this.id = team.block * 1024 + warp * 32 + lane;
  }

  /** The warp's number in the launch. */
  get warpId(): number {
    return this.team.block * 32 + this.warp;
  }

  /** All it knows, its own deeds included; what it does from now on is not in it. */
  publish(): Known {
    const { team, warp } = this;
    const own: Known = {
      threads: new Map([[this.id, this.count]]),
      warps: new Map([[this.warpId, team.meetings[warp] ?? 0]]),
      blocks: new Map([[team.block, team.barriers]]),
    };
    this.count++;
    return joined(this.known, own);
  }

  /** A stamp for what it does now. */
  stamp(): When {
    return {
      member: this,
      count: this.count,
      meeting: this.team.meetings[this.warp] ?? 0,
      barrier: this.team.barriers,
    };
  }

  /** True when that has happened before anything that this thread does now. */
  follows({ member, count, meeting, barrier }: When): boolean {
    if (member === this) return true;
    const { team } = member;
    if (team === this.team) {
      if (barrier < team.barriers) return true;
      if (member.warp === this.warp && meeting < (team.meetings[this.warp] ?? 0)) return true;
    }
    const { threads, warps, blocks } = this.known;
    return (
      (threads.get(member.id) ?? -1) >= count ||
      (warps.get(member.warpId) ?? 0) > meeting ||
      (blocks.get(team.block) ?? 0) > barrier
    );
  }
}

/** When somebody did something, in counts that others may know. */
export interface When {
  readonly member: Member;
  readonly count: number;
  readonly meeting: number;
  readonly barrier: number;
}

/** These have met: each knows what any of them knew. */
export function meet(members: readonly Member[]): void {
  const all = members.map((member) => member.publish()).reduce(joined, nothing);
  for (const member of members) member.known = all;
}

/** All threads of the block have met. Only what they know of other blocks has to be told; the rest is in the count. */
export function meetAll(team: Team): void {
  team.barriers++;
  const { members } = team;
  const all = members.reduce((known, member) => joined(known, member.known), team.known);
  team.known = all;
  for (const member of members) member.known = all;
}

/** All threads of several blocks have met: each block knows what the others did before. */
export function meetTeams(teams: readonly Team[]): void {
  for (const team of teams) meetAll(team);
  const met: Known = { ...nothing, blocks: new Map(teams.map(({ block, barriers }) => [block, barriers])) };
  const all = teams.reduce((known, team) => joined(known, team.known), met);
  for (const team of teams) {
    team.known = all;
    for (const member of team.members) member.known = all;
  }
}

/** All lanes of a warp have met; the same holds. */
export function meetWarp(team: Team, warp: number, members: readonly Member[]): void {
  team.meetings[warp] = (team.meetings[warp] ?? 0) + 1;
  const all = members.reduce((known, member) => joined(known, member.known), nothing);
  for (const member of members) member.known = all;
}
