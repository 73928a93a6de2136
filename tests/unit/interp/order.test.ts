import { describe, expect, test } from "vitest";
import { joined, meet, meetAll, meetTeams, meetWarp, nothing, Team } from "../../../src/interp/tools/order.ts";

describe("what happened before", () => {
  test("a thread follows itself and nobody else", () => {
    const team = new Team(0);
    const [a, b] = [team.member(0, 0), team.member(0, 1)];
    const stamp = a.stamp();
    expect(a.follows(stamp)).toBe(true);
    expect(b.follows(stamp)).toBe(false);
  });

  test("a meeting orders what was before it, and not what comes after", () => {
    const team = new Team(0);
    const [a, b, c] = [team.member(0, 0), team.member(0, 1), team.member(0, 2)];
    const before = a.stamp();
    meet([a, b]);
    expect(b.follows(before)).toBe(true);
    expect(c.follows(before)).toBe(false);
    expect(b.follows(a.stamp())).toBe(false);
  });

  test("knowledge goes on from one to the next", () => {
    const team = new Team(0);
    const [a, b, c] = [team.member(0, 0), team.member(1, 0), team.member(2, 0)];
    const before = a.stamp();
    meet([a, b]);
    meet([b, c]);
    expect(c.follows(before)).toBe(true);
  });

  test("a barrier of all orders all of the block, those included that come later", () => {
    const team = new Team(0);
    const before = team.member(0, 0).stamp();
    meetAll(team);
    expect(team.member(5, 5).follows(before)).toBe(true);
    expect(team.member(5, 5).follows(team.member(0, 0).stamp())).toBe(false);
    expect(new Team(1).member(0, 0).follows(before)).toBe(false);
  });

  test("a meeting of a warp orders its lanes only", () => {
    const team = new Team(0);
    const lanes = [team.member(1, 0), team.member(1, 1)];
    const before = lanes[0]!.stamp();
    meetWarp(team, 1, lanes);
    expect(lanes[1]!.follows(before)).toBe(true);
    expect(team.member(0, 0).follows(before)).toBe(false);
  });

  test("what one thread learns of another block, its block knows after a barrier, late comers too", () => {
    const [near, far] = [new Team(0), new Team(1)];
    const before = far.member(0, 7).stamp();
    meetAll(far);
    const released = far.member(0, 0).publish();
    const reader = near.member(0, 0);
    reader.known = joined(reader.known, released);
    expect(reader.follows(before)).toBe(true);
    expect(near.member(0, 1).follows(before)).toBe(false);
    meetAll(near);
    expect(near.member(0, 1).follows(before)).toBe(true);
    expect(near.member(9, 9).follows(before)).toBe(true);
  });

  test("joining nothing gives the same object, so that equal knowledge stays cheap", () => {
    const known = new Team(3).member(0, 0).publish();
    expect(joined(known, nothing)).toBe(known);
    expect(joined(nothing, known)).toBe(known);
    expect(joined(known, known)).toBe(known);
  });

  test("a meeting of several blocks orders what each did before, for late comers too", () => {
    const [a, b, c] = [new Team(0), new Team(1), new Team(2)];
    const before = a.member(0, 3).stamp();
    meetTeams([a, b]);
    expect(b.member(0, 0).follows(before)).toBe(true);
    expect(a.member(9, 9).follows(before)).toBe(true);
    expect(c.member(0, 0).follows(before)).toBe(false);
    expect(b.member(0, 0).follows(a.member(0, 3).stamp())).toBe(false);
  });
});
