// Before the first build there are no generated loops; the type checker is told that there will be.
declare module "*.generated.ts" {
  export const computeLoops: never;
  export const compareLoops: never;
  export const carryLoops: never;
  export const atomicLoops: never;
}
