import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { contentTypeOf } from "./content-type.ts";
import type { LiveState } from "./live-state.ts";

interface Answer {
  status: number;
  type: string;
  body: string;
}

/** What is below `/playground/`: its files, where the service is, and the stand-ins' switches. Undefined where there is nothing. */
export async function answerPlayground(
  request: IncomingMessage,
  pathname: string,
  { root, state }: { root: string; state: LiveState },
): Promise<Answer | undefined> {
  const name = pathname.slice("/playground/".length) || "index.html";
  if (name === "playground.json") return configuration(state);
  const standIns = { "rehearsal/model": state.modelUrl, "rehearsal/speech": state.speechUrl };
  const standIn = Object.entries(standIns).find(([path]) => path === name);
  if (standIn !== undefined) return switchOn(request, standIn[1]);
  // No dots but the last: nothing outside the folder has such a name.
  const isInside = /^(?:[\w-]+\/)*[\w-]+\.\w+$/.test(name);
  const type = isInside ? contentTypeOf(name) : undefined;
  if (type === undefined) return undefined;
  const body = await readFile(join(root, "sdk/playground", name), "utf8").catch(() => undefined);
  return body === undefined ? undefined : { status: 200, type, body };
}

async function configuration(state: LiveState): Promise<Answer> {
  const { serverUrl: api, modelUrl: model, speechUrl: speech } = state;
  const { seeded } = await state.facts();
  // The switches are set together: where one of them would move nothing, there are none.
  const isOwn = Object.values(state.own).some((place) => place !== undefined);
  const rehearsal = isOwn ? undefined : { model, speech };
  const body = JSON.stringify({ api, agent: seeded?.agentId, rehearsal });
  return { status: 200, type: "application/json", body };
}

/** The stand-ins let no other site read them: the playground asks them through its own server. */
async function switchOn(request: IncomingMessage, url: string): Promise<Answer> {
  const isChange = request.method === "PUT";
  const response = await fetch(`${url}/rehearsal/faults`, {
    ...(isChange && { method: "PUT", body: await text(request) }),
    signal: AbortSignal.timeout(5_000),
  });
  return { status: response.status, type: "application/json", body: await response.text() };
}
