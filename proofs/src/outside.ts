import { domainCheck } from "./domains/domain-check.ts";
import { egress } from "./egress/egress.ts";
import { mailIsNobodysWeapon } from "./mail/nobodys-weapon.ts";
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
    "mail-is-nobodys-weapon": mailIsNobodysWeapon,
    "mail-reaches-one": mailReachesOne,
  },
});
