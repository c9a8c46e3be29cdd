/** Runs in the namespaces that `namespace.ts` makes: `node inside.ts <what>`. */
import type { Outcome } from "../runner/proof.ts";
import { proveCompose } from "./compose-runs.ts";
import type { ComposeImages } from "./compose-runs.ts";
import type { Image } from "./container.ts";
import { proveImage } from "./image-runs.ts";
import type { Inside, InsideTools, Told } from "./namespace.ts";
import { proveOneMachine } from "./one-machine.ts";

const given = <T>(name: string): T => JSON.parse(process.env[name]!) as T;
const PROVE: Record<Inside, (tools: InsideTools) => Promise<Outcome>> = {
  compose: (tools) => proveCompose(tools, given<ComposeImages>("IMAGES")),
  image: (tools) => proveImage(tools, given<Image>("IMAGE")),
  "one-machine": proveOneMachine,
};

const cleanups: (() => unknown)[] = [];

async function end(code: number): Promise<never> {
  while (cleanups.length > 0) {
    try {
      await cleanups.pop()?.();
    } catch (error) {
      console.error("Cleaning up failed:", error);
    }
  }
  process.exit(code);
}

function tell(told: Told): Promise<void> {
  return new Promise((resolve) => process.send!(told, undefined, undefined, () => resolve()));
}

process.once("SIGTERM", () => void end(1));
process.once("disconnect", () => void end(1));
try {
  const outcome = await PROVE[process.argv[2] as Inside]({
    say: (line) => void tell({ say: line }),
    onEnd: (clean) => void cleanups.push(clean),
  });
  await tell({ outcome });
  await end(0);
} catch (error) {
  console.error(error);
  await end(1);
}
