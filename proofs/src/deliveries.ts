import { deliverySpeed } from "./deliveries/delivery-speed.ts";
import { slowReceiver } from "./deliveries/slow-receiver.ts";
import { threeMeansThree } from "./deliveries/three-means-three.ts";
import { pipelineSpeed } from "./pipeline/pipeline-speed.ts";
import { providerOutage } from "./pipeline/provider-outage.ts";
import { defineProof } from "./runner/proof.ts";

// W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W14
export default defineProof({
  covers: [
    "server/src/evaluation/",
    "server/src/pipeline/",
    "server/src/platform/",
    "server/src/sessions/",
    "server/src/webhooks/",
  ],
  claims: {
    "delivery-speed": deliverySpeed,
    "one-slow-receiver-harms-nobody": slowReceiver,
    "pipeline-speed": pipelineSpeed,
    "provider-outage-heals": providerOutage,
    "three-means-three": threeMeansThree,
  },
});
