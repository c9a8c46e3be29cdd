import { CURES } from "#webhooks";
import type { CureName, ReceiverFinding } from "#webhooks";
import type { ReceiverTest } from "@svc/contract/types";

export function toReceiverTest(url: string, findings: ReceiverFinding[]): ReceiverTest {
  return {
    url,
    checks: findings.map(({ name, state, says, fix, tookMs }) => ({
      name,
      state,
      says,
      ...(fix !== undefined && { fix }),
      ...(tookMs !== undefined && { took_ms: Math.round(tookMs) }),
    })),
    cures: curesOf(findings),
  };
}

function curesOf(findings: ReceiverFinding[]): ReceiverTest["cures"] {
  const names = new Map<CureName, string[]>();
  for (const { name, cure } of findings) {
    if (cure !== undefined) names.set(cure, [...(names.get(cure) ?? []), name]);
  }
  return [...names].map(([cure, checks]) => ({ checks, ...CURES[cure] }));
}
