import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { writeBillOfMaterials } from "../../../bundle/sbom.js";

const require = createRequire(import.meta.url);
/** CycloneDX's own schemas, from the library of those who make it. */
const schemas = join(require.resolve("@cyclonedx/cyclonedx-library/package.json"), "../res/schema");
const schema = (name: string) => JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), "utf8"));

it("the bill of materials fits CycloneDX 1.6, and names each package with code in the bundle", () => {
  const modules = resolve(import.meta.dirname, "../../../node_modules");
  const packages = ["chevrotain", "commander", "@chevrotain/gast"];
  const files = packages.flatMap((name) => [join(modules, name, "package.json"), join(modules, name, "other.js")]);
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-sbom-"));
  const read = (): string => {
    writeBillOfMaterials([...files, "/work/src/index.ts"], join(folder, "sbom.json"));
    return readFileSync(join(folder, "sbom.json"), "utf8");
  };
  const text = read();
  expect(read()).toBe(text);
  rmSync(folder, { recursive: true });
  const document = JSON.parse(text);
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ["jsf-0.82", "spdx"])
    ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` });
  const fits = ajv.compile(schema("bom-1.6"));
  expect([fits(document), fits.errors]).toEqual([true, null]);
  expect(document.components.map(({ name }: { name: string }) => name)).toEqual(packages.toSorted());
  expect(document.dependencies[0].dependsOn).toHaveLength(3);
  // A licence that SPDX does not know is noticed.
  document.components[0].licenses[0].license.id = "Mine";
  expect(fits(document)).toBe(false);
});
