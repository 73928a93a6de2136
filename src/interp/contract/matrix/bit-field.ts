/** A field of a descriptor: its lowest bit, its width, and its allowed values, where not all are. */
export interface BitField<Name extends string = string> {
  readonly name: Name;
  readonly from: number;
  readonly bits: number;
  readonly only?: readonly number[];
}

/** The value of a field. */
export const fieldOf = (value: bigint, { from, bits }: BitField): number =>
  Number((value >> BigInt(from)) & ((1n << BigInt(bits)) - 1n));

/** All fields by name. */
export const fieldsOf = <Name extends string>(
  value: bigint,
  fields: readonly BitField<Name>[],
): Readonly<Record<Name, number>> =>
  Object.fromEntries(fields.map((field) => [field.name, fieldOf(value, field)])) as Record<Name, number>;

/** The first field with a value that is not allowed. */
export const wrongField = <Name extends string>(
  value: bigint,
  fields: readonly BitField<Name>[],
): BitField<Name> | undefined =>
  fields.find((field) => field.only !== undefined && !field.only.includes(fieldOf(value, field)));
