import { proveInside } from "./deployed/namespace.ts";
import { defineProof } from "./runner/proof.ts";

/** The product as operators deploy it, from the files in `deploy/` as they are. */
export default defineProof({
  covers: ["deploy/", "server/src/api/", "server/src/live/socket/"],
  claims: {
    "proxied-is-the-same": {
      promise:
        "Started as the systemd units say, behind the samples for nginx and for Caddy, a conversation is the same as without a proxy, and each visitor has an address of their own",
      bound:
        "0 faults from start to webhook and export through each, over TLS; a proxy without the upgrade and the visitor's address is noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: (tools) => proveInside("one-machine", tools),
    },
  },
});
