/** A page that makes life hard for what is embedded in it. */
export interface HostilePage {
  name: string;
  /** How the SDK comes onto it; `SDK` is its address. */
  load?: string;
  head?: string;
  body?: string;
  /** Of the root element. */
  attributes?: string;
  headers?: (sdkUrl: string) => Record<string, string>;
  /** What the page does once it has loaded, before anything is tried. */
  act?: string;
  width?: number;
  /** What to try; everything unless said. */
  tries?: ("widget" | "hero" | "call")[];
  /** The service cannot be reached: the call says so instead of talking. */
  isCutOff?: true;
}

const SCRIPT = '<script async id="svc-sdk" nonce="n" src="SDK/sdk/sdk.js"></script>';
const SNIPPET =
  '<script nonce="n">(function (d, s) { if (d.getElementById("svc-sdk")) return; s = d.createElement("script"); s.id = "svc-sdk"; s.async = true; s.src = "SDK/sdk/sdk.js"; d.head.appendChild(s); })(document);</script>';

function strictPolicy(sdkUrl: string): string {
  const socket = sdkUrl.replace("http", "ws");
  return `default-src 'none'; script-src 'nonce-n' ${sdkUrl}; connect-src ${sdkUrl} ${socket}; img-src ${sdkUrl} data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
}

export const HOSTILE_PAGES: HostilePage[] = [
  { name: "plain", load: SCRIPT },
  {
    name: "strict policy with Trusted Types",
    headers: (sdkUrl) => ({ "content-security-policy": strictPolicy(sdkUrl) }),
  },
  {
    name: "resets of everything",
    head: "<style>* { all: unset; margin: 0 !important; color: red; font: 3px serif } button, [type=button], input { display: none; background: none; visibility: hidden } dialog, section, div, form { float: left; position: static }</style>",
    tries: ["widget", "call"],
  },
  {
    name: "resets of buttons and inputs",
    head: "<style>button, input { all: unset; padding: 0 } [type=button] { background: none; border: 0 } svg { width: 10px; fill: red }</style>",
  },
  {
    name: "a wall in front of everything",
    body: '<div style="position:fixed;inset:0;z-index:2147483647;pointer-events:none;background:#0001"></div>',
  },
  {
    name: "transformed and contained ancestors",
    attributes:
      'style="transform:translateZ(0);container-type:inline-size;contain:layout;filter:none"',
  },
  { name: "right to left", attributes: 'dir="rtl"' },
  { name: "320 pixels", width: 320 },
  { name: "the script twice", load: `${SCRIPT}<script src="SDK/sdk/sdk.js"></script>` },
  { name: "the snippet twice", load: SNIPPET + SNIPPET },
  {
    name: "the snippet after load",
    load: `<script nonce="n">addEventListener("load", () => setTimeout(() => { const s = document.createElement("script"); s.id = "svc-sdk"; s.async = true; s.src = "SDK/sdk/sdk.js"; document.head.append(s); }, 100));</script>`,
  },
  {
    name: "frozen prototypes",
    head: '<script nonce="n">for (const one of [Object, Array, Function, Promise, String, Map, Set]) Object.freeze(one.prototype);</script>',
  },
  {
    name: "a patched Array, JSON and Promise",
    head: `<script nonce="n">
      Array.prototype.last = function () { return this[this.length - 1]; };
      Object.prototype.evil = function () {};
      const stringify = JSON.stringify; JSON.stringify = function (...all) { return stringify.apply(this, all); };
      const parse = JSON.parse; JSON.parse = function (...all) { return parse.apply(this, all); };
      const Native = Promise; window.Promise = class extends Native {};
    </script>`,
  },
  {
    name: "a patched fetch",
    head: '<script nonce="n">const plain = fetch; window.fetch = function (...all) { return plain.apply(window, all).then((answer) => answer); };</script>',
  },
  {
    name: "leaked module systems",
    head: '<script nonce="n">window.exports = {}; window.module = { exports: {} }; window.define = function () { throw new Error("not a module"); }; window.define.amd = {};</script>',
  },
  {
    name: "junk by postMessage",
    act: 'for (const junk of [null, "x", 5, {}, { type: "svc" }, [], { type: "caption", text: "<b>" }]) postMessage(junk, "*");',
  },
  {
    name: "storage that throws",
    head: '<script nonce="n">for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });</script>',
  },
  {
    name: "a page that swaps its body",
    act: 'await until(() => window.Svc?.version); Svc.widget.show(); const next = document.createElement("body"); next.innerHTML = document.body.innerHTML; document.documentElement.replaceChild(next, document.body);',
  },
  {
    name: "mounted twice in strict mode",
    act: 'await until(() => window.Svc?.version); const spot = document.getElementById("place"); Svc.hero.mount(spot); Svc.hero.unmount(); Svc.hero.mount(spot); Svc.widget.show(); Svc.widget.hide();',
  },
  {
    name: "a microphone for the page only",
    headers: () => ({ "permissions-policy": "microphone=(self)" }),
  },
  { name: "no microphone at all", headers: () => ({ "permissions-policy": "microphone=()" }) },
  {
    name: "a service that answers 500",
    head: '<script nonce="n">window.fetch = async () => new Response("{}", { status: 500 });</script>',
    isCutOff: true,
  },
  {
    name: "a service that answers 404",
    head: '<script nonce="n">window.fetch = async () => new Response("{}", { status: 404 });</script>',
    isCutOff: true,
  },
  {
    name: "a service that cannot be reached",
    head: '<script nonce="n">window.fetch = async () => { throw new TypeError("Failed to fetch"); };</script>',
    isCutOff: true,
  },
];

/** The whole page, with elements of its own whose look must not change. */
export function pageHtml(page: HostilePage, sdkUrl: string, agentId: string): string {
  return `<!doctype html><html lang="en" ${page.attributes ?? ""}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Host</title><link rel="icon" href="data:,">
    ${page.head ?? ""}
    <script nonce="n">
      window.SvcConfig = { agentId: "${agentId}" };
      window.troubles = [];
      addEventListener("error", ({ message }) => troubles.push("error: " + message));
      addEventListener("unhandledrejection", ({ reason }) => troubles.push("rejection: " + reason));
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => troubles.push("policy: " + violatedDirective + " " + blockedURI));
      window.pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
      window.until = async (test) => { for (let tries = 0; tries < 300; tries++) { const found = test(); if (found) return found; await pause(20); } throw new Error("waited in vain for " + test); };
      window.known = Object.getOwnPropertyNames(window);
    </script>
    ${(page.load ?? SCRIPT).replaceAll("SDK", sdkUrl)}
  </head><body><h1 class="own">Host</h1><p class="own">Text</p><button class="own" type="button">Own</button><input class="own" value="own">
    <div id="place"></div>${page.body ?? ""}
  </body></html>`;
}
