import { describe, expect, test } from "vitest";
import { Random } from "../../../src/interp/contract/launch/random.ts";
import { History } from "../../../src/interp/tools/history.ts";
import { agree } from "../../agree.ts";
import { draws } from "../../share.ts";
import { fingerprint, launch } from "./everything.ts";

describe("a course", () => {
  test.each([
    [draws(60_000, 120_000), draws(25, 40), {}],
    [draws(20_000, 50_000), draws(10, 25), { schedule: { seed: 7 } }],
  ])("of %i steps is the same back and forth, at %i places, with %o", (steps, samples, options) => {
    const { session, memory, printed } = launch(100_000, options);
    const random = new Random(1);
    const places = Array.from({ length: samples }, () => random.below(steps)).sort((a, b) => a - b);
    // The course itself, with no history that could have changed it.
    const seen = new Map<number, string>();
    for (const place of places) {
      session.run({ budget: place - session.steps });
      seen.set(place, fingerprint(session, memory));
    }
    session.run({ budget: steps - session.steps });
    const shown = [...printed];
    expect(shown.length).toBeGreaterThan(draws(1, 3));

    const again = launch(100_000, options);
    const history = new History(again.session);
    expect(history.travel(steps)).toBe("there");
    expect(again.session.steps).toBe(steps);
    for (const at of places.map((_, index) => places[(index * 617) % samples]!)) {
      expect(history.goTo(at)).toBe("there");
      if (fingerprint(again.session, again.memory) !== seen.get(at)) expect.fail(`step ${at} differs`);
    }
    expect(history.goTo(steps)).toBe("there");
    expect(again.printed).toEqual(shown);
    expect(history.bytes).toBeLessThan(256 << 20);
  });

  test("is kept in little room: what does not change is kept once, and what is far off is forgotten first", () => {
    const { session, memory } = launch(100_000);
    const big = memory.allocate({ name: "big", bytes: 16 << 20 })!;
    memory.write(
      big,
      Uint8Array.from({ length: 16 << 20 }, (_, at) => at * 37),
    );
    const history = new History(session, 24 << 20);
    expect(history.bytes).toBeGreaterThan(16 << 20);
    expect(history.bytes).toBeLessThan(18 << 20);
    history.travel(100_000);
    expect(history.bytes).toBeLessThan(24 << 20);

    const small = launch(100_000);
    const narrow = new History(small.session, 1 << 20);
    const places = [5_000, 50_000, 99_000, 100_000];
    const prints = places.map((place) => {
      narrow.travel(place);
      return fingerprint(small.session, small.memory);
    });
    expect(narrow.bytes).toBeLessThan(1 << 20);
    for (const at of [2, 0, 3, 1]) {
      narrow.goTo(places[at]!);
      expect(fingerprint(small.session, small.memory)).toBe(prints[at]);
    }
  });

  test("is the same however it is cut", () => {
    const whole = launch(12);
    whole.session.run();
    const { steps } = whole.session;
    for (const budget of [1, 3, 64, 1000, steps - 1]) {
      const cut = launch(12);
      while (cut.session.run({ budget }).reason === "budget") agree(cut.session.steps < steps, true);
      expect(cut.session.steps).toBe(steps);
      expect(cut.memory.read(cut.out, 1024)).toEqual(whole.memory.read(whole.out, 1024));
      expect(cut.printed).toEqual(whole.printed);
    }
  });

  test("begins anew where something was written, and passes there again", () => {
    const { session, memory, out } = launch(40);
    const history = new History(session);
    const sum = () => new Uint32Array(memory.read(out, 576).buffer).reduce((all, each) => all + each, 0);
    expect(history.travel(Number.POSITIVE_INFINITY)).toBe("ended");
    const before = sum();
    history.goTo(5000);
    history.edit({ kind: "memory", space: "global", address: out, bytes: Uint8Array.of(0, 0, 1, 0) });
    expect(history.furthest).toBe(5000);
    const print = fingerprint(session, memory);
    history.travel(Number.POSITIVE_INFINITY);
    const after = sum();
    expect(after).not.toBe(before);
    history.goTo(4000);
    history.goTo(5000);
    expect(fingerprint(session, memory)).toBe(print);
    history.goTo(100);
    history.travel(Number.POSITIVE_INFINITY);
    expect(sum()).toBe(after);
  });
});
