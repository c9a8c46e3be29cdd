import { inSpan, isTracing } from "#platform";
import type { Claim, Db } from "#platform";
import { traceOfSession } from "#sessions";

interface Runner<Payload> {
  run(claim: Claim<Payload>): Promise<void>;
  giveUp(claim: Claim<Payload>): Promise<void>;
}

/** Runs jobs in a span that continues the trace of their session. */
export function tracedJob<Payload>(
  { run, giveUp }: Runner<Payload>,
  options: {
    span: string;
    db: Db;
    sessionOf: (payload: Payload) => Promise<string | undefined>;
  },
): Runner<Payload> {
  const { span, db, sessionOf } = options;
  return {
    giveUp,
    run: async (claim) => {
      // Looked up only where somebody sees it.
      const session = isTracing() ? await sessionOf(claim.payload) : undefined;
      if (session === undefined) return run(claim);
      const parent = await traceOfSession(db, session);
      return inSpan(span, { parent, attributes: { "svc.session": session } }, () => run(claim));
    },
  };
}
