/**
 * An answer as it goes over the wire. Scripts, rules and faults write a verdict as a status with its reasons;
 * a judge is asked for each criterion whether it is met.
 */
export function byCriteria(
  answer: unknown,
  criteria: { key: string; side: string }[] = SIDES,
): unknown {
  if (!isRecord(answer) || !isRecord(answer["qualification"])) return answer;
  const { status, because, ...rest } = answer["qualification"];
  if (status === undefined) return answer;
  const item = (side: string): object => {
    if (!STATUSES.some((known) => known === status)) return { because, verdict: status };
    // What the reasons against a verdict are is not scripted.
    return status === side ? { because, verdict: "met" } : { because: [], verdict: "unknown" };
  };
  const items = Object.fromEntries(criteria.map(({ key, side }) => [key, item(side)]));
  return { ...answer, qualification: { items, ...rest } };
}

const SIDES = ["qualified", "disqualified"].map((side) => ({ key: side, side }));
const STATUSES = ["qualified", "disqualified", "not_enough_data"];

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
