import { describe, expect, test } from "vitest";
import { History } from "../../../src/interp/history.ts";
import { Random } from "../../../src/interp/random.ts";
import { fingerprint, launch } from "./everything.ts";

describe("a course", () => {
  test.each([
    [1_000_000, 1000, {}],
    [100_000, 100, { schedule: { seed: 7 } }],
  ])(
    "of %i steps is the same back and forth, at %i places, with %o",
    { timeout: 120_000 },
    (steps, samples, options) => {
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
      expect(shown.length).toBeGreaterThan(10);

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
    },
  );
});
