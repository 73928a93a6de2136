// Declares the generated loops to the type checker, since they do not exist before the first build.
declare module "*.generated.ts" {
  export const computeLoops: never;
  export const compareLoops: never;
  export const carryLoops: never;
  export const atomicLoops: never;
}
