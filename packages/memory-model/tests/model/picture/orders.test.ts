import { describe, expect, it } from "vitest";
import { nearest, path, reduced, strongest } from "../../../model/picture/orders.ts";

describe("what is drawn of an order", () => {
  it("is what follows from no others; a cycle stays whole", () => {
    expect(
      reduced([
        [1, 2],
        [2, 3],
        [1, 3],
      ]),
    ).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(
      reduced([
        [1, 2],
        [2, 1],
        [2, 3],
      ]),
    ).toEqual([
      [1, 2],
      [2, 1],
      [2, 3],
    ]);
  });

  it("is the first write that replaces what was read", () => {
    expect(
      nearest(
        [
          [9, 1],
          [9, 2],
          [8, 2],
        ],
        [[1, 2]],
      ),
    ).toEqual([
      [9, 1],
      [8, 2],
    ]);
  });

  it("is of synchronization what others do not say", () => {
    // in program order: 1, 2, 3 and 11, 12, 13
    const po = [
      [1, 2],
      [2, 3],
      [11, 12],
      [12, 13],
    ] as const;
    expect(
      strongest(
        [
          [1, 13],
          [2, 12],
        ],
        po,
      ),
    ).toEqual([[2, 12]]);
    // by way of a third thread
    expect(
      strongest(
        [
          [3, 21],
          [22, 11],
          [1, 12],
        ],
        [...po, [21, 22]],
      ),
    ).toEqual([
      [3, 21],
      [22, 11],
    ]);
    // not where that thread passes it on before it has it
    expect(
      strongest(
        [
          [3, 22],
          [21, 11],
          [1, 12],
        ],
        [...po, [21, 22]],
      ),
    ).toEqual([
      [3, 22],
      [21, 11],
      [1, 12],
    ]);
  });

  it("is of a meeting its neighbours", () => {
    const all = [1, 2, 3].flatMap((a) => [1, 2, 3].flatMap((b) => (a === b ? [] : [[a, b] as const])));
    expect(strongest(all, [])).toEqual([
      [1, 2],
      [2, 1],
      [2, 3],
      [3, 2],
    ]);
  });

  it("leads from one end of a step to the other by the fewest arrows", () => {
    const self = (at: number) => at;
    expect(
      path(
        [
          [1, 2],
          [2, 3],
          [1, 4],
          [4, 5],
          [5, 3],
        ],
        [1, 3],
        self,
      ),
    ).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect(path([[1, 2]], [2, 1], self)).toEqual([]);
  });
});
