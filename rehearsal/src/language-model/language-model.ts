import { createServer } from "node:http";
import { join } from "node:path";
import type { ModelParts } from "./complete-chat.ts";
import type { Pace } from "./deliver.ts";
import { faultList } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { openPort } from "../port.ts";
import { RequestLog } from "./request-log.ts";
import type { Requests } from "./request-log.ts";
import { routes } from "./routes.ts";
import { Switches } from "./switches.ts";
import { createMind } from "./mind.ts";

export interface LanguageModelOptions {
  /** A free one unless told. */
  port?: number;
  /** The only key that is taken; any, or none, unless told. */
  apiKey?: string;
  /** Before every answer. */
  delayMs?: number;
  /** Of streamed answers; at once unless told. */
  pace?: Pace;
  faults?: Fault[];
  /** Holds `evaluations/` and `conversations/`; those of this package unless told. */
  scriptsFolder?: string;
}

/** A running stand-in of a language model. */
export interface LanguageModel {
  /** Its page, and its switches below `/rehearsal`. */
  url: string;
  /** What an OpenAI client takes as its base URL. */
  baseUrl: string;
  /** In place of those set before. Resolves when the port is open or closed as they say. */
  setFaults(faults: Fault[]): Promise<void>;
  setDelay(delayMs: number): void;
  requests(): Requests;
  close(): Promise<void>;
}

export async function startLanguageModel(
  options: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const parts: ModelParts = {
    mind: createMind(options.scriptsFolder ?? join(import.meta.dirname, "../../scripts")),
    switches: new Switches(),
    log: new RequestLog(),
    delayMs: options.delayMs ?? 0,
    pace: options.pace,
  };
  const server = createServer();
  const port = await openPort(server, options.port ?? 0);
  const url = `http://127.0.0.1:${port.number}`;

  async function setFaults(faults: Fault[]): Promise<void> {
    parts.switches.set(faults);
    const refusal = faults.find(({ kind }) => kind === "refuse");
    if (refusal === undefined) await port.open();
    else await port.shut(refusal.forMs);
  }

  server.on("request", routes({ ...options, url, parts, setFaults }));
  await setFaults(faultList(options.faults ?? [], "faults"));
  return {
    url,
    baseUrl: `${url}/v1`,
    setFaults: async (faults) => setFaults(faultList(faults, "faults")),
    setDelay(delayMs) {
      parts.delayMs = delayMs;
    },
    requests: () => parts.log.read(),
    close: () => port.close(),
  };
}
