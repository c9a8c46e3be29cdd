import type { Session } from "@svc/contract/types";

const LIMIT = 100;

export interface Walk {
  sessions: Session[];
  /** Ids that came at two different times. */
  doubled: number;
  /** The loop no longer advances: it would ask for the same page for ever. */
  standsStill: boolean;
}

/** The documented loop: `since` alone, at limit 100, deduped by id. */
export async function walkExport(url: string, token: string): Promise<Walk> {
  const seen = new Map<string, Session>();
  let doubled = 0;
  let since = 0;
  for (;;) {
    const response = await fetch(`${url}/v1/sessions.json?since=${since}&limit=${LIMIT}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`the export answers ${response.status}`);
    const { items } = (await response.json()) as { items: Session[] };
    for (const item of items) {
      if ((seen.get(item.id) ?? item).created_at !== item.created_at) doubled += 1;
      seen.set(item.id, item);
    }
    const last = items.at(-1);
    const next = last === undefined ? since : Math.floor(Date.parse(last.created_at) / 1_000);
    const isLast = items.length < LIMIT;
    if (isLast || next === since)
      return { sessions: [...seen.values()], doubled, standsStill: !isLast };
    since = next;
  }
}
