import { type Fragment, layoutLines, placeOf } from "../interp/contract/matrix/fragment.ts";

/** One element of a fragment as it lies in the registers of a warp. */
export interface HeldElement {
  readonly lane: number;
  /** Which of the lane's elements it is. */
  readonly i: number;
}

/**
 * The matrices of a fragment as rows of text with the numbers of rows and columns around them: each element as `show`
 * writes it, right-aligned; single bits stand close together. `first` is the first thread of each group of four that holds
 * a fragment which only some of them do.
 */
export function matrixLines(fragment: Fragment, show: (held: HeldElement) => string, first = 0): readonly string[] {
  const { rows, columns, bits, count, matrices, holders } = fragment;
  const all = matrices?.count ?? 1;
  const cells = Array.from({ length: all * rows }, () => Array.from({ length: columns }, () => ""));
  for (let lane = 0; lane < 32; lane++) {
    if (holders !== undefined && lane % 4 >= holders.threads) continue;
    for (let i = 0; i < count; i++) {
      const { row, column, matrix } = placeOf(fragment, lane, i);
      const line = cells[matrix * rows + row];
      // Of copies, the first.
      if (line !== undefined && line[column] === "") line[column] = show({ lane: lane + first, i });
    }
  }
  const lines: string[] = [];
  for (let matrix = 0; matrix < all; matrix++) {
    if (all > 1)
      lines.push(
        `matrix ${matrix}: lanes ${4 * matrix} to ${4 * matrix + 3}, ${4 * matrix + 16} to ${4 * matrix + 19}`,
      );
    lines.push(...(bits === 1 ? closeLines : tableLines)(cells.slice(matrix * rows, (matrix + 1) * rows)));
  }
  return lines;
}

function tableLines(cells: readonly (readonly string[])[]): string[] {
  const columns = cells[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(String(at).length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const side = String(cells.length - 1).length;
  const line = (head: string, row: readonly string[]): string =>
    `${head.padStart(side)}  ${row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join(" ")}`;
  return [
    line(
      "",
      Array.from({ length: columns }, (_, at) => `${at}`),
    ),
    ...cells.map((row, at) => line(`${at}`, row)),
  ];
}

/** 32 bits stand together. */
function closeLines(cells: readonly (readonly string[])[]): string[] {
  const side = String(cells.length - 1).length;
  return cells.map((row, at) => {
    const words = Array.from({ length: Math.ceil(row.length / 32) }, (_, word) =>
      row.slice(32 * word, 32 * word + 32).join(""),
    );
    return `${`${at}`.padStart(side)}  ${words.join(" ")}`;
  });
}

/** A description of a fragment in one line, and where its elements lie, in the manual's words. */
export function fragmentHeader(fragment: Fragment, type: string): readonly string[] {
  const { name, rows, columns, matrices, holders } = fragment;
  const held = holders === undefined || holders.threads === 4 ? "" : `, in ${holders.threads} of four threads`;
  return [
    `${name}: ${matrices === undefined ? "" : `${matrices.count} of `}${rows}x${columns} .${type}${held}`,
    ...layoutLines(fragment).map((line) => `  ${line}`),
  ];
}
