/** A schema of JSON Schema 2020-12, as far as the schemas in `schema/` go. */
export type Schema = { readonly [keyword: string]: unknown };

/**
 * What is wrong with a value, one line a problem; none when the schema allows it. Throws for a keyword that it does not
 * know: a schema must not seem to say something that nobody checks.
 */
export function violations(value: unknown, schema: Schema, root: Schema = schema, at = "$"): string[] {
  const found: string[] = [];
  const say = (problem: string) => found.push(`${at}: ${problem}`);
  const into = (part: unknown, inner: unknown, path: string) =>
    found.push(...violations(part, inner as Schema, root, path));
  for (const [keyword, rule] of Object.entries(schema)) {
    switch (keyword) {
      case "$schema":
      case "$id":
      case "$defs":
      case "title":
      case "description":
        break;
      case "$ref":
        into(value, resolved(rule as string, root), at);
        break;
      case "const":
        if (JSON.stringify(value) !== JSON.stringify(rule)) say(`is not ${JSON.stringify(rule)}`);
        break;
      case "enum":
        if (!(rule as unknown[]).some((each) => JSON.stringify(each) === JSON.stringify(value)))
          say(`${JSON.stringify(value)} is none of ${JSON.stringify(rule)}`);
        break;
      case "type":
        if (![rule].flat().some((type) => isA(type as string, value))) say(`is no ${[rule].flat().join(" or ")}`);
        break;
      case "oneOf":
      case "anyOf": {
        const each = (rule as Schema[]).map((one) => violations(value, one, root, at));
        const good = each.filter((problems) => problems.length === 0).length;
        if (good === 0) say(`matches nothing of ${keyword}: ${each.map((problems) => problems[0]).join("; ")}`);
        if (good > 1 && keyword === "oneOf") say(`matches ${good} of oneOf`);
        break;
      }
      case "pattern":
        if (typeof value === "string" && !new RegExp(rule as string, "u").test(value)) say(`${value} is not ${rule}`);
        break;
      case "minimum":
        if (typeof value === "number" && value < (rule as number)) say(`${value} is less than ${rule}`);
        break;
      case "maximum":
        if (typeof value === "number" && value > (rule as number)) say(`${value} is more than ${rule}`);
        break;
      case "minItems":
        if (Array.isArray(value) && value.length < (rule as number)) say(`has ${value.length} items`);
        break;
      case "maxItems":
        if (Array.isArray(value) && value.length > (rule as number)) say(`has ${value.length} items`);
        break;
      case "items":
        if (Array.isArray(value)) for (const [index, item] of value.entries()) into(item, rule, `${at}[${index}]`);
        break;
      case "required":
        if (isObject(value)) for (const key of rule as string[]) if (!Object.hasOwn(value, key)) say(`lacks ${key}`);
        break;
      case "properties":
        if (isObject(value))
          for (const [key, inner] of Object.entries(rule as Schema))
            if (Object.hasOwn(value, key)) into(value[key], inner, `${at}.${key}`);
        break;
      case "additionalProperties":
        if (isObject(value))
          for (const [key, part] of Object.entries(value)) {
            if (Object.hasOwn((schema["properties"] ?? {}) as object, key)) continue;
            if (rule === false) say(`has ${key}`);
            else into(part, rule, `${at}.${key}`);
          }
        break;
      default:
        throw new Error(`${keyword} is not implemented`);
    }
  }
  return found;
}

function resolved(ref: string, root: Schema): Schema {
  const name = /^#\/\$defs\/(\w+)$/.exec(ref)?.[1] ?? "";
  const found = (root["$defs"] as Record<string, Schema>)[name];
  if (found === undefined) throw new Error(`${ref} leads nowhere`);
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isA(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      throw new Error(`${type} is no type`);
  }
}
