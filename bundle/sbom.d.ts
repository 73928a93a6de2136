/** Writes a bill of materials (CycloneDX 1.6) of the packages that `files` belong to. */
export function writeBillOfMaterials(files: readonly string[], target: string): void;
