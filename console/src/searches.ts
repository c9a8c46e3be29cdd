/** What the address of each page says is shown, so that a link shows the same to a colleague. */

export interface SessionsSearch {
  text?: string;
  account?: string;
  agent?: string;
  qualification?: string;
  status?: string;
  language?: string;
  entry?: string;
  device?: string;
  answered?: string;
  insight?: string;
  delivery?: string;
  days?: string;
  test?: string;
}

const SESSIONS_SEARCH = [
  "text",
  "account",
  "agent",
  "qualification",
  "status",
  "language",
  "entry",
  "device",
  "answered",
  "insight",
  "delivery",
  "days",
  "test",
] as const satisfies (keyof SessionsSearch)[];

export function readSessionsSearch(given: Record<string, unknown>): SessionsSearch {
  return textsIn(given, SESSIONS_SEARCH);
}

export interface DeliveriesSearch {
  endpoint?: string;
  state?: string;
  /** The delivery that is open beside the list. */
  id?: string;
}

export function readDeliveriesSearch(given: Record<string, unknown>): DeliveriesSearch {
  return textsIn(given, ["endpoint", "state", "id"]);
}

export interface OverviewSearch {
  days?: string;
  by?: string;
  account?: string;
}

export function readOverviewSearch(given: Record<string, unknown>): OverviewSearch {
  return textsIn(given, ["days", "by", "account"]);
}

export interface GapsSearch {
  days?: string;
}

export function readGapsSearch(given: Record<string, unknown>): GapsSearch {
  return textsIn(given, ["days"]);
}

/** The values of these keys as text; what is empty is left out. The router reads figures and words such as true as what they are. */
function textsIn(given: Record<string, unknown>, keys: readonly string[]): Record<string, string> {
  const texts = keys.flatMap((key): [string, string][] => {
    const value = given[key];
    const isPlain = ["string", "number", "boolean"].includes(typeof value);
    return isPlain && value !== "" ? [[key, `${value as string | number | boolean}`]] : [];
  });
  return Object.fromEntries(texts);
}
