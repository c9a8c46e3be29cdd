import { addHelpers } from "./in-page.ts";
import type { InPage } from "./in-page.ts";

/** A page that makes life hard for what is embedded in it. */
export interface HostilePage {
  name: string;
  /** How the SDK comes onto it; `SDK` stands for the service's address. */
  load?: string;
  head?: string;
  body?: string;
  /** Of the root element. */
  attributes?: string;
  headers?: (sdkUrl: string) => Record<string, string>;
  /** What the page does once it has loaded, before anything is tried. */
  act?: (inPage: InPage) => unknown;
  /** The same, once the SDK is there. */
  actWithSdk?: (inPage: InPage) => unknown;
  width?: number;
  /** Its styles spoil the hero, which has no shadow root. */
  isWithoutHero?: true;
  /** The service cannot be reached: the call says so instead of talking. */
  isCutOff?: true;
}

const SCRIPT = '<script async id="svc-sdk" nonce="n" src="SDK/sdk/sdk.js"></script>';
const SNIPPET =
  '<script nonce="n">(function (d, s) { if (d.getElementById("svc-sdk")) return; s = d.createElement("script"); s.id = "svc-sdk"; s.async = true; s.src = "SDK/sdk/sdk.js"; d.head.appendChild(s); })(document);</script>';

export function strictPolicy(sdkUrl: string): string {
  const socket = sdkUrl.replace("http", "ws");
  return `default-src 'none'; script-src 'nonce-n' ${sdkUrl}; connect-src ${sdkUrl} ${socket}; img-src ${sdkUrl} data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
}

export const HOSTILE_PAGES: HostilePage[] = [
  { name: "plain" },
  {
    name: "strict policy with Trusted Types",
    headers: (sdkUrl) => ({ "content-security-policy": strictPolicy(sdkUrl) }),
  },
  {
    name: "resets of everything",
    head: "<style>* { all: unset; margin: 0 !important; color: red; font: 3px serif } button, [type=button], input { display: none; background: none; visibility: hidden } dialog, section, div, form { float: left; position: static }</style>",
    isWithoutHero: true,
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
    act: () => {
      const typed = [{ type: "svc" }, { type: "caption", text: "<b>" }];
      for (const junk of [null, "x", 5, {}, [], ...typed]) postMessage(junk, "*");
    },
  },
  {
    name: "storage that throws",
    head: '<script nonce="n">for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });</script>',
  },
  {
    name: "a page that swaps its body",
    actWithSdk: () => {
      Svc.widget.show();
      const next = document.createElement("body");
      next.innerHTML = document.body.innerHTML;
      document.documentElement.replaceChild(next, document.body);
    },
  },
  {
    name: "mounted twice in strict mode",
    actWithSdk: ({ place }) => {
      Svc.hero.mount(place);
      Svc.hero.unmount();
      Svc.hero.mount(place);
      Svc.widget.show();
      Svc.widget.hide();
    },
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
      (${watchForTrouble.toString()})();
      (${addHelpers.toString()})();
    </script>
    ${(page.load ?? SCRIPT).replaceAll("SDK", sdkUrl)}
  </head><body><h1 class="own">Host</h1><p class="own">Text</p><button class="own" type="button">Own</button><input class="own" value="own">
    <div id="place"></div>${page.body ?? ""}
  </body></html>`;
}

declare global {
  interface Window {
    /** What was thrown on a hostile page, or broke its policy. */
    troubles: string[];
  }
}

/** Runs in the page before anything else. */
function watchForTrouble(): void {
  window.troubles = [];
  const note = (text: string): number => window.troubles.push(text);
  addEventListener("error", ({ message }) => note(`error: ${message}`));
  addEventListener("unhandledrejection", ({ reason }) => note(`rejection: ${String(reason)}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    note(`policy: ${violatedDirective} ${blockedURI}`),
  );
}
