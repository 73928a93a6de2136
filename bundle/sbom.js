// dist/sbom.json: what the package is made of, as CycloneDX 1.6 has it. No time and no serial number: the same build has the
// same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { packagesOf } from "./packages.js";

const { name, version, license, description } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

const purl = (each) => `pkg:npm/${each.name.replace("@", "%40")}@${each.version}`;
const component = (each) => ({
  type: "library",
  "bom-ref": purl(each),
  name: each.name,
  version: each.version,
  licenses: [{ license: { id: each.license } }],
  purl: purl(each),
});

/** Writes the packages that `files` belong to: all of them are in the bundle, and none is fetched when ptxrun is installed. */
export function writeBillOfMaterials(files, target) {
  const packages = packagesOf(files);
  const self = { name, version, license };
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...component(self), type: "application", description } },
    components: packages.map(component),
    dependencies: [
      { ref: purl(self), dependsOn: packages.map(purl) },
      ...packages.map((each) => ({ ref: purl(each), dependsOn: [] })),
    ],
  };
  writeFileSync(target, `${JSON.stringify(document, null, 2)}\n`);
}
