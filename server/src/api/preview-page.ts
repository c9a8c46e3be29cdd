import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { STYLE } from "./person/page-style.ts";
import { PRIVATE } from "./person/send-page.ts";

/**
 * `GET /preview/{agent}`: a plain page with the SDK, on which whoever has a preview link tries an agent.
 * The token stands in the fragment of the link, which no browser sends; without one the page starts
 * nothing, because the session would count.
 */
export function addPreviewPage(
  app: FastifyInstance,
  {
    publicUrl,
    liveUrl,
    livekitUrl,
  }: {
    publicUrl: string;
    liveUrl: string;
    livekitUrl?: string | undefined;
  },
): void {
  const reached = [publicUrl, liveUrl, livekitUrl].filter((url) => url !== undefined);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashOf(PREPARE)} ${hashOf(START)}`,
    `style-src ${hashOf(PAGE_STYLE)}`,
    `connect-src 'self' ${reached.map((url) => new URL(url).origin).join(" ")}`,
    `img-src 'self' data: ${new URL(publicUrl).origin}`,
    `media-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  app.get("/preview/:agent", (_request, reply) =>
    reply
      .headers(PRIVATE)
      .header("content-security-policy", policy)
      .type("text/html; charset=utf-8")
      .send(PAGE),
  );
}

const hashOf = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const PAGE_STYLE = `${STYLE}
main { text-align: center }
#place { height: 360px; margin-top: 32px }
#trouble { margin-top: 32px }
#trouble:empty, #trouble:not(:empty) + #place { display: none }
`;

/** Runs before the SDK, which takes the token out of the address. */
const PREPARE = `
var tab = { agent: location.pathname.split("/").pop(), hasToken: /svc_preview=/.test(location.hash) };
try {
  tab.hasToken = tab.hasToken || sessionStorage.getItem("svc-preview") !== null;
} catch (blocked) {}
window.SvcConfig = { agentId: tab.agent };
// Another link for the same agent changes only the fragment.
addEventListener("hashchange", function () { location.reload(); });
`;

const START = `
(function () {
  var troubles = {
    none: "This link is not complete. Open the whole link that you were given, to its end.",
    preview_invalid: "This link has expired, or it is for another agent. Ask for a new one: the operator makes it with svc agents preview.",
    agent_unknown: "There is no such agent. Check the link for missing characters.",
  };
  function tell(text) {
    document.getElementById("trouble").textContent = text;
  }
  if (!tab.hasToken) return tell(troubles.none);
  if (!window.Svc) return tell("The SDK could not be loaded. Try again in a moment.");
  fetch("/sdk/v1/agents/" + tab.agent)
    .then(function (answer) { return answer.ok ? answer.json() : undefined; })
    .then(function (agent) {
      if (agent) document.title = document.querySelector("h1").textContent = "Preview of " + agent.name;
    })
    .catch(function () {});
  Svc.checkClient().then(function (client) {
    if (client.allowed) return Svc.hero.mount(document.getElementById("place"));
    tell(troubles[client.reason] || "The agent cannot be started right now (" + client.reason + "). Try again in a moment.");
  });
})();
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Preview</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>Preview</h1>
<p class="quiet">Conversations on this page are tests. They are evaluated and shown to the operator, but never exported, delivered or mailed.</p>
<p role="alert" id="trouble"></p>
<div id="place"></div>
</main>
<script>${PREPARE}</script>
<script id="svc-sdk" src="/sdk/sdk.js"></script>
<script>${START}</script>
</body>
</html>
`;
