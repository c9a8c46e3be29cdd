import { domainCheck } from "./domains/domain-check.ts";
import { egress } from "./egress/egress.ts";
import { mailReachesOne } from "./mail/mail-reaches-one.ts";
import { defineProof } from "./runner/proof.ts";

// D1, D2, D3, D4, D5, D6, D8, D9, S11
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
