import { domainCheck } from "./domains/domain-check.ts";
import { egress } from "./egress/egress.ts";
import { mailReachesOne } from "./mail/mail-reaches-one.ts";
import { defineProof } from "./runner/proof.ts";

// D4, D8, D9, S11
export default defineProof({
  covers: [
    "server/src/followup/",
    "server/src/platform/",
    "server/src/sessions/",
    "server/src/webhooks/",
  ],
  claims: {
    "domain-check-tells-the-truth": domainCheck,
    "egress-stays-outside": egress,
    "mail-reaches-one": mailReachesOne,
  },
});
