import type * as ast from "../ast.ts";

/** Elements to bytes; a region of one number is one row. */
export const strides = ({ vertical = 0, width, horizontal }: ast.Region, size: number, count: number) => ({
  width: width ?? count,
  rowStride: vertical * size,
  columnStride: horizontal * size,
});
