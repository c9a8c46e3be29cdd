import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** What became of one request to start. */
export interface Answer {
  key: string;
  address: string;
  /** `started`, or why not. */
  outcome: string;
  sessionId?: string;
}

/** A visitor who clicks once: a key, and the address that the proxy in front saw. */
export interface Click {
  key: string;
  address: string;
}

export function clicks(count: number, addresses: number): Click[] {
  return Array.from({ length: count }, (_, n) => ({
    key: randomUUID(),
    address: `203.0.113.${1 + (n % addresses)}`,
  }));
}

/** Every click is sent to every server, all at the same moment, and to each in another order: clicks of one address meet. */
export async function rush(urls: string[], agentId: string, all: Click[]): Promise<Answer[]> {
  return Promise.all(
    urls.flatMap((url, index) => {
      const first = Math.floor((index * all.length) / urls.length);
      const order = [...all.slice(first), ...all.slice(0, first)];
      return order.map((click) => start(url, agentId, click));
    }),
  );
}

/** Asks again while the server has no connection to its database to spare, as a browser does. */
export async function start(url: string, agentId: string, click: Click): Promise<Answer> {
  for (;;) {
    const answer = await tryStart(url, agentId, click);
    if (answer.outcome !== "service_unavailable") return answer;
    await delay(200);
  }
}

/** Another one with every request. */
let forged = 0;

export async function tryStart(
  url: string,
  agentId: string,
  { key, address }: Click,
): Promise<Answer> {
  const body = JSON.stringify({
    agent_id: agentId,
    start_key: key,
    mode: "text",
    language: "en",
    metadata: { plan: "pro" },
    page: "https://www.example.com/",
    notice: { text: "An AI speaks.", language: "en", accepted_at: "2026-01-01T00:00:00Z" },
  });
  // The left one is what a visitor claims; the right one is what the proxy saw.
  const headers = {
    "content-type": "application/json",
    "x-forwarded-for": `198.51.100.${++forged % 256}, ${address}`,
  };
  const response = await fetch(`${url}/sdk/v1/sessions`, { method: "POST", headers, body });
  const { session_id: sessionId, error } = (await response.json()) as Partial<{
    session_id: string;
    error: { code: string };
  }>;
  if (sessionId !== undefined) return { key, address, outcome: "started", sessionId };
  return { key, address, outcome: error?.code ?? `status ${response.status}` };
}
