import { fileURLToPath } from "node:url";
import { ServerOptions, cli, defineAgent, voice } from "@livekit/agents";
import type { JobContext } from "@livekit/agents";
import { bareSession } from "./bare-session.ts";
import type { BareLiveOrder } from "./bare-session.ts";

/**
 * A program, for comparison: the library's own worker, which LiveKit sends jobs to and which starts a process for each. Sound
 * comes in and goes out by the library's own way through a room; nothing of ours is around it.
 */

/** What it is told by its environment, which the processes of its jobs inherit. `STOCK_NAME` is what LiveKit dispatches by. */
const { STOCK_ORDER: order, STOCK_NAME: agentName = "", STOCK_PORT: port } = process.env;

/** A process takes long to start on a busy machine, and its job would be lost. */
const PATIENCE_MS = 60_000;

const agent: { entry(context: JobContext): Promise<void> } = defineAgent({
  async entry(context: JobContext) {
    const session = bareSession(JSON.parse(order!) as BareLiveOrder);
    await context.connect();
    const guide = new voice.Agent({ instructions: "" });
    await session.start({ agent: guide, room: context.room, record: false });
  },
});

export default agent;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  cli.runApp(
    new ServerOptions({
      agent: fileURLToPath(import.meta.url),
      agentName,
      host: "127.0.0.1",
      port: Number(port),
      logLevel: "warn",
      numIdleProcesses: 1,
      initializeProcessTimeout: PATIENCE_MS,
      // Otherwise it is sent no jobs while the machine is busy.
      loadFunc: async () => 0,
    }),
  );
}
