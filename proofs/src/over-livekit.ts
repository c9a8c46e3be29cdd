import { blockedNetworks } from "./livekit/blocked-networks.ts";
import { openLivekitWorld } from "./livekit/livekit-world.ts";
import type { LivekitWorld } from "./livekit/livekit-world.ts";
import { lossyNetwork } from "./livekit/lossy-network.ts";
import { mutedIsSilent } from "./livekit/muted-is-silent.ts";
import { nodeDies } from "./livekit/node-dies.ts";
import { vanishOnLivekit } from "./livekit/vanish-on-livekit.ts";
import { defineProof } from "./runner/proof.ts";

/** Calls whose sound goes over a LiveKit server, in networks that are worse than this machine's. */
export default defineProof<LivekitWorld>({
  covers: ["sdk/src/livekit/", "server/src/live/", "tools/livekit/", "tools/src/livekit.ts"],
  open: ({ onEnd }) => openLivekitWorld(onEnd),
  claims: {
    "blocked-networks": blockedNetworks,
    "muted-is-silent": mutedIsSilent,
    "vanish-on-livekit": vanishOnLivekit,
    "node-dies": nodeDies,
    "lossy-network": lossyNetwork,
  },
});
