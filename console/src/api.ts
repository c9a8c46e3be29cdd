import type { AdminErrorBody } from "@svc/contract/types";

/** What the server answered instead of what was asked for. */
export class ApiProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The values of a query string; what is undefined or empty is left out. */
export type Query = Record<string, string | number | undefined>;

/** The server and this page are of one build, so its answers are taken as the contract describes them. */
export async function read<T>(path: string, query: Query = {}): Promise<T> {
  return answerOf<T>(await reach(addressOf(path, query)));
}

export async function change<T>(path: string, body?: object): Promise<T> {
  return answerOf<T>(
    await reach(addressOf(path), {
      method: "POST",
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
}

export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `/admin/v1/${path}${text === "" ? "" : `?${text}`}`;
}

async function reach(address: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    throw new ApiProblem(0, "The server cannot be reached. Check your connection and try again.");
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  const body = (await response.json().catch(() => ({}))) as T & Partial<AdminErrorBody>;
  if (response.ok) return body;
  const { message } = body.error ?? {};
  throw new ApiProblem(
    response.status,
    message === undefined ? withoutReason(response.status) : withoutCommands(message),
  );
}

/** The server's sentences without those that name a command: who reads this uses none. */
export function withoutCommands(message: string): string {
  const sentences = message.split(/(?<=[.!?])\s+(?=[A-Z`])/);
  return sentences.filter((one) => !one.includes("`svc ")).join(" ");
}

/** What answered is not ours: a proxy in between, mostly. */
function withoutReason(status: number): string {
  return status === 429
    ? "Too much was asked at once. Wait a minute, then try again."
    : `The answer was ${status}, without a reason. Try again in a minute. If it stays, tell whoever runs the server.`;
}
