import { readSettings } from "#accounts";
import type { Db, Log, Mail } from "#platform";
import type { DueDelivery } from "./delivery-store.ts";

/** Tells the account's contact that a receiver failed to accept an event three times in a row. */
export type ExhaustionNotice = (
  delivery: Pick<DueDelivery, "accountId" | "endpointId" | "url">,
) => Promise<void>;

export function createExhaustionNotice(db: Db, mail: Mail, log: Log): ExhaustionNotice {
  return async ({ accountId, endpointId, url }) => {
    try {
      const { contactEmail } = await readSettings(db, accountId);
      if (contactEmail === null) return;
      await mail.send({
        to: contactEmail,
        subject: `Your webhook receiver at ${new URL(url).host} does not answer`,
        text: [
          `Three attempts to deliver an event to ${url} failed, about 30 seconds apart.`,
          "Nothing is lost: what could not be delivered is kept, and can be sent again.",
          `Once the receiver answers with a 2xx status within 10 seconds, ask us to replay what failed. Name the endpoint: ${endpointId}.`,
          "You get this message at most once an hour for each receiver.",
        ].join("\n\n"),
      });
    } catch (error) {
      // The next exhausted delivery sends another notice, at the earliest an hour from now.
      log.error({ err: error, endpoint: endpointId }, "the notice of exhaustion was not sent");
    }
  };
}
