import base from "./vitest.config.ts";
for (const p of (base as any).test.projects) if (p.test.name !== "bench") p.test.setupFiles = [...p.test.setupFiles, "tests/prof-setup.mjs"];
export default base;
