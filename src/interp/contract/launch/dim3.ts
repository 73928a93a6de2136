/** x, y and z of a grid or a block. */
export type Dim3 = readonly [number, number, number];

/** x * y * z: blocks of a grid or threads of a block. */
export const volume = ([x, y, z]: Dim3): number => x * y * z;

/** The coordinates of a linear index, x running fastest. */
export const unlinear = (index: number, [x, y]: Dim3): Dim3 => [
  index % x,
  Math.floor(index / x) % y,
  Math.floor(index / (x * y)),
];
