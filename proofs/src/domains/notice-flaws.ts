import { domainOf } from "./check-truth.ts";
import { DOMAIN_CASES } from "./domain-cases.ts";
import { FLAWS, flawedCheck } from "./flawed-check.ts";
import type { Flaw } from "./flawed-check.ts";
import type { NameServer } from "./name-server.ts";

/** Nobody's time is measured here. */
const PATIENCE = { timeout: 400, tries: 1 };

/** For each planted mistake, and for none, how many of the cases show it. */
export async function noticeFlaws({ server }: NameServer): Promise<Map<Flaw | "none", number>> {
  const shown = new Map<Flaw | "none", number>();
  for (const flaw of ["none", ...FLAWS] as const) {
    const verdicts = await Promise.all(
      DOMAIN_CASES.map((_, index) => flawedCheck(server, domainOf(index), flaw, PATIENCE)),
    );
    const wrong = DOMAIN_CASES.filter(({ verified }, index) => verified !== verdicts[index]);
    shown.set(flaw, wrong.length);
  }
  return shown;
}
