import { MOST_STEPS } from "../page/bench.ts";
import type { Project } from "../page/client.ts";
import { RECORDED_BYTES, type Recording } from "../page/recording.ts";
import * as debugging from "../worker/debugging.ts";

export { first } from "../page/first.ts";
export { freeze } from "../page/recording.ts";

/** Runs a project as the page does, by the same code, and keeps what panels would ask. */
export async function record(project: Project): Promise<Recording> {
  const loaded = await debugging.load(project, MOST_STEPS);
  if (loaded.state === undefined) throw new Error(`${project.name} cannot run`);
  const { buffers } = loaded.state;
  return {
    loaded,
    lanes: debugging.lanes(),
    strip: await debugging.strip(),
    values: await debugging.values(),
    memory: buffers.map(({ space, address, bytes }) => ({
      space,
      address,
      held: debugging.memory(space, address, Math.min(bytes, RECORDED_BYTES)),
    })),
  };
}
