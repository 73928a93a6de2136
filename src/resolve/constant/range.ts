/** The range of constants that an operand accepts. */
export interface ConstantRange {
  readonly least?: number;
  readonly most?: number;
  readonly multiple?: number;
  readonly only?: number;
  readonly among?: readonly number[];
}

/** A description of the valid constants, where `value` is none of them. */
export function outOfRange({ least, most, multiple, only, among }: ConstantRange, value: bigint): string | undefined {
  const low = least !== undefined && value < BigInt(least);
  const high = most !== undefined && value > BigInt(most);
  const between = multiple !== undefined && value % BigInt(multiple) !== 0n;
  if (among !== undefined && !among.some((each) => BigInt(each) === value)) return among.join(", ");
  if (only !== undefined && value !== BigInt(only)) return `${only}`;
  if (!low && !high && !between) return undefined;
  const said = [
    ...(most === undefined ? [] : [`${least ?? 0} to ${most}`]),
    ...(most === undefined && least !== undefined ? [`at least ${least}`] : []),
    ...(multiple === undefined ? [] : [`a multiple of ${multiple}`]),
  ];
  return said.join(", ");
}
