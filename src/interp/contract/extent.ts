/** x, y and z of a grid or a block. */
export type Extent = readonly [number, number, number];

export const volume = ([x, y, z]: Extent): number => x * y * z;

/** The coordinates of a linear index, x running fastest. */
export const unlinear = (index: number, [x, y]: Extent): Extent => [
  index % x,
  Math.floor(index / x) % y,
  Math.floor(index / (x * y)),
];
