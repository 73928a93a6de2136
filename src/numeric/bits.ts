/** A value as functions pass it: unsigned bits, a `number` up to 32 of them and a `bigint` above; never a float. */
export type Bits = number | bigint;
