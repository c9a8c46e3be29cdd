import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { cellsAreFound } from "./deployed/cells-are-found.ts";
import { buildImage, differences, filesOf, megabytesOf } from "./deployed/image.ts";
import type { ComposeImages } from "./deployed/compose-runs.ts";
import { proveInside } from "./deployed/namespace.ts";
import { defineProof } from "./runner/proof.ts";

/** What the image may take on a disk, unpacked. */
const MAX_MB = 450;

/** The product as operators deploy it, from the files in `deploy/` as they are. */
export default defineProof({
  covers: [
    "Dockerfile",
    ".dockerignore",
    "package-lock.json",
    "compose.yaml",
    "deploy/",
    "server/src/api/",
    "server/src/live/socket/",
  ],
  claims: {
    "image-runs": {
      promise:
        "The image runs each role without rights and without writing, passes a conversation to its webhook, and stops without cutting one off",
      bound: `0 faults, at most ${MAX_MB} MB unpacked; a writable container, a stopped process and wrong deliveries are noticed`,
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async (tools) => {
        const image = await buildImage("svc:claim", tools.onEnd);
        const megabytes = await megabytesOf(image);
        const IMAGE = JSON.stringify(image);
        const outcome = await proveInside("image", tools, { IMAGE });
        return {
          ...outcome,
          figure: `${outcome.figure}, ${megabytes} MB`,
          ok: outcome.ok && megabytes > 100 && megabytes <= MAX_MB,
        };
      },
    },

    "compose-runs": {
      promise:
        "What compose.yaml says starts in its order, without rights and without writing, and a conversation through Caddy reaches its webhook, without any key",
      bound:
        "0 faults from an empty folder to webhook, mail and export; missing migrations, a misspelt key and wrong deliveries are noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async (tools) => {
        const images: ComposeImages = {
          "svc:svc": await buildImage("svc:claim", tools.onEnd),
          "svc:stand-ins": await buildImage("svc:stand-ins", tools.onEnd, { target: "stand-ins" }),
        };
        const IMAGES = JSON.stringify(images);
        return proveInside("compose", tools, { IMAGES });
      },
    },

    "image-is-reproducible": {
      promise: "Built twice from one commit, the image has the same files",
      bound: "0 paths differ in content, rights, owner or date; one changed byte is noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const first = await buildImage("svc:claim", onEnd);
        const second = await buildImage("svc:again", onEnd, { again: true });
        const files = await filesOf(first);
        const differing = differences(files, await filesOf(second));
        for (const path of differing.slice(0, 20)) say(`differs: ${path}`);
        appendFileSync(join(second.root, "svc/package.json"), "\n");
        const noticed = differences(files, await filesOf(second)).length - differing.length;
        say(`control: ${noticed} noticed of one changed file`);
        return {
          figure: `${differing.length} of ${files.size.toLocaleString("en")} paths differ`,
          ok: differing.length === 0 && noticed === 1 && files.size > 5_000,
          size: `${files.size} paths`,
        };
      },
    },

    "proxied-is-the-same": {
      promise:
        "Started as the systemd units say, behind the samples for nginx and for Caddy, a conversation is the same as without a proxy, and each visitor has an address of their own",
      bound:
        "0 faults from start to webhook and export through each, over TLS; a proxy without the upgrade and the visitor's address is noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: (tools) => proveInside("one-machine", tools),
    },

    "cells-are-found": cellsAreFound,
  },
});
