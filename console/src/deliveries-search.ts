/** What the address says is looked for. */
export interface DeliveriesSearch {
  endpoint?: string;
  state?: string;
  /** The delivery that is open beside the list. */
  id?: string;
}

export function readDeliveriesSearch(given: Record<string, unknown>): DeliveriesSearch {
  return Object.fromEntries(
    ["endpoint", "state", "id"]
      .filter((key) => given[key] !== undefined && given[key] !== "")
      .map((key) => [key, String(given[key])]),
  );
}
