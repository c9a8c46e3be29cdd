import type { Claim } from "./claims.ts";

/** A page on which one claim is looked at. */
export function claimPage(
  { load = "script", before = "" }: Claim,
  { serverUrl, agentId, clientId }: { serverUrl: string; agentId: string; clientId: string },
): string {
  const config =
    load === "no config"
      ? ""
      : load === "v0"
        ? `{ clientId: "${clientId}" }`
        : `{ agentId: "${load === "unknown agent" ? "agent_aaaaaaaaaaaaaaaaaaaaaa" : agentId}" }`;
  const script = (version: string): string =>
    `<script async id="svc-sdk" src="${serverUrl}/sdk/${version}sdk.js"></script>`;
  const snippet = `<script>(function (d, s) { if (d.getElementById("svc-sdk")) return; s = d.createElement("script"); s.id = "svc-sdk"; s.async = true; s.src = "${serverUrl}/sdk/sdk.js"; d.head.appendChild(s); })(document);</script>`;
  const ways: Record<NonNullable<Claim["load"]>, string> = {
    script: script(""),
    "unknown agent": script(""),
    "no config": script(""),
    none: "",
    v0: script("v0/"),
    snippet,
    twice: snippet + snippet + `<script src="${serverUrl}/sdk/sdk.js"></script>`,
    patient: `<script>window.known = Object.getOwnPropertyNames(window);</script>PATIENT<script>
      window.readied = Svc.ready;
      window.taken = Svc.startDemo;
      window.early = Promise.all([Svc.getLanguages().then((codes) => codes.toSorted()[1]), Svc.checkClient().then(({ allowed }) => allowed)]);
    </script>`,
  };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
    <script>
      ${config === "" ? "" : `window.SvcConfig = ${config};`}
      window.known = Object.getOwnPropertyNames(window);
      ${WATCH}
      ${before}
    </script>
    ${ways[load]}
  </head><body><p>A page</p><button>See a demo</button><div id="place" style="width:300px;height:360px"></div></body></html>`;
}

/** Sees what the SDK requests and says. Starts can be held back, and the service can be out of reach. */
const WATCH = `
  sessionStorage.clear(); localStorage.clear(); // A call of the claim before would go on here.
  window.sent = { all: [], events: [], start: undefined };
  window.warnings = [];
  console.warn = (text) => warnings.push(String(text));
  const plainFetch = window.fetch;
  window.fetch = (address, options) => {
    sent.all.push(String(address));
    if (window.refuse) return Promise.reject(new TypeError("refused"));
    if (options?.method === "POST" && String(address).endsWith("/sdk/v1/sessions")) {
      sent.start = JSON.parse(options.body);
      if (window.pauseStarts) return Promise.resolve(new Response('{"error":{"code":"at_capacity","message":""}}', { status: 429 }));
    }
    return plainFetch(address, options);
  };
  window.factsAre = (facts) => {
    const watched = window.fetch;
    window.fetch = async (address, options) => {
      const answer = await watched(address, options);
      return /agents[/][^/]+$/.test(address) ? new Response(JSON.stringify({ ...(await answer.json()), ...facts })) : answer;
    };
  };
  navigator.sendBeacon = (address, body) => { sent.all.push(String(address)); sent.events.push(JSON.parse(body)); return true; };
  window.pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
  window.until = async (test) => { for (let tries = 0; tries < 500; tries++) { const found = await test(); if (found) return found; await pause(20); } throw new Error("waited in vain for " + test); };
  window.dialog = () => { for (const host of document.body.children) { const found = host.shadowRoot?.querySelector("dialog"); if (found) return found; } };
  window.box = () => { for (const host of document.body.children) if (host.shadowRoot?.querySelector(".box")) return host.shadowRoot; };
  window.visible = () => { const found = box()?.querySelector(".box"); return !!found && found.getBoundingClientRect().width > 0; };
  window.press = async (text) => { const button = await until(() => [...(dialog()?.querySelectorAll("button") ?? [])].find((one) => one.textContent.includes(text) && !one.disabled)); button.click(); };
  window.added = () => Object.getOwnPropertyNames(window).filter((name) => !known.includes(name) && !["known", "sent", "warnings", "plainFetch", "fetch", "refuse", "pauseStarts", "pause", "until", "dialog", "press", "added", "factsAre", "box", "visible", "place"].includes(name));
`;
