import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";

/** A schema of JSON Schema 2020-12. */
export type Schema = AnySchemaObject;

/** Strict: a keyword that is not known, which would only seem to say something, is an error. */
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
const compiled = new WeakMap<Schema, ValidateFunction>();

/** What is wrong with a value, one line a problem; none when the schema allows it. */
export function violations(value: unknown, schema: Schema): string[] {
  const known = compiled.get(schema);
  const validate = known ?? ajv.compile(schema);
  if (known === undefined) compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath}: ${message}`);
}
