import type { SettledStatus } from "@svc/contract/types";

/** Counts sessions as a customer would: it walks the export and goes on where it stopped. */
export class SessionCount {
  readonly #token: string;
  #next: string;
  #byId = new Map<string, SettledStatus>();

  constructor(serverUrl: string, token: string) {
    this.#token = token;
    this.#next = `${serverUrl}/v1/sessions.json?fields=id,status`;
  }

  /** By status. What was counted before, while the server does not answer. */
  async read(): Promise<Record<SettledStatus, number>> {
    await this.#walk().catch(() => {});
    const counts = { processed: 0, abandoned: 0, error: 0 };
    for (const status of this.#byId.values()) counts[status] += 1;
    return counts;
  }

  async #walk(): Promise<void> {
    for (;;) {
      const headers = { authorization: `Bearer ${this.#token}` };
      const response = await fetch(this.#next, { headers, signal: AbortSignal.timeout(2_000) });
      if (!response.ok) return;
      const { items } = (await response.json()) as {
        items: { id: string; status: SettledStatus }[];
      };
      for (const { id, status } of items) this.#byId.set(id, status);
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      if (next === undefined) return;
      this.#next = next;
    }
  }
}
