import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, PageOptions } from "../browsers/browser.ts";
import { showEntry } from "../pages/states.ts";
import type { Entry } from "../pages/states.ts";
import { openCustomerSite } from "../product/customer-site.ts";
import { SDK_FILES } from "../product/whole-product.ts";
import type { Tools } from "../runner/proof.ts";
import type { Take } from "./album.ts";

/** Pages of three kinds that a widget or a hero may find itself on. */
const PAGES = {
  plain: `<main style="font:16px/1.5 Georgia,serif;max-width:640px;margin:40px auto"><h1>A plain page</h1><p>${"Some words about nothing. ".repeat(12)}</p><div id="place" style="height:320px"></div></main>`,
  bank: `<style>body{margin:0;font:15px/1.6 Arial,sans-serif;color:#1b2a3a;background:#f4f6f8}header{background:#0b2a4a;color:#fff;padding:18px 40px;font-size:20px}section{background:#fff;margin:32px auto;max-width:880px;padding:32px;border:1px solid #d8dee6}button{background:#0b2a4a;color:#fff;border-radius:0;text-transform:uppercase;letter-spacing:1px}</style><header>First Harbour Bank</header><section><h1>Business accounts</h1><p>${"Clear terms and steady service. ".repeat(8)}</p><div id="place" style="height:300px"></div></section>`,
  marketing: `<style>body{margin:0;font:18px/1.4 system-ui;color:#fff;background:linear-gradient(135deg,#2b1055,#ff5f6d 60%,#ffc371);min-height:100vh}h1{font-size:64px;margin:0}main{padding:60px;display:grid;grid-template-columns:1fr 1fr;gap:40px}*{box-sizing:content-box}</style><main><div><h1>Grow faster</h1><p>${"More of everything, sooner. ".repeat(10)}</p></div><div id="place" style="height:380px"></div></main>`,
};

const VIEWS: [name: string, options: PageOptions, page: keyof typeof PAGES][] = [
  ["plain", {}, "plain"],
  ["plain-dark", { dark: true }, "plain"],
  ["bank", {}, "bank"],
  ["marketing", {}, "marketing"],
  ["phone", { width: 390, height: 844 }, "plain"],
];
const POSITIONS = [
  "top-left",
  "top-right",
  "bottom-left",
  "bottom-right",
  "top-center",
  "bottom-center",
  "left-center",
  "right-center",
] as const;
const EMAIL = { dataKey: "email" };
const ENTRIES: [name: string, entry: Entry][] = [
  ...POSITIONS.map((position): [string, Entry] => [`widget-${position}`, { widget: { position } }]),
  ["widget-collapsed", { widget: {}, isCollapsed: true }],
  ["widget-form", { widget: { collectData: EMAIL } }],
  ["widget-error", { widget: { primaryColor: "#0b2a4a", collectData: EMAIL }, isSubmitted: true }],
  ["hero", { hero: {} }],
  ["hero-200", { hero: { width: 200, height: 200 } }],
  [
    "hero-form",
    { hero: { width: 160, height: 160, collectData: { ...EMAIL, formTitle: "See it live" } } },
  ],
];

/** Widget and hero on these pages, without a service behind them. */
export async function drawEntries(browser: Browser, { onEnd }: Tools, take: Take): Promise<void> {
  const script = await readFile(join(SDK_FILES, "sdk.js"), "utf8");
  const pages = Object.entries(PAGES).map(([name, body]) => [
    `/${name}`,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>x</title><body>${body}<script>window.SvcConfig = { agentId: "agent_x" };</script><script>${script}</script></body></html>`,
  ]);
  // The check of a form is a chunk beside the script.
  for (const name of (await readdir(SDK_FILES)).filter((file) => file.startsWith("form."))) {
    pages.push([`/${name}`, await readFile(join(SDK_FILES, name), "utf8")]);
  }
  const site = await openCustomerSite(Object.fromEntries(pages));
  onEnd(() => site.close());
  for (const [view, options, path] of VIEWS) {
    const page = await browser.newPage({ reducedMotion: true, ...options });
    for (const [name, entry] of ENTRIES) {
      await page.goto(`${site.url}/${path}`);
      await page.run(showEntry, entry);
      await delay(60);
      await take(`entry-${view}-${name}`, await page.screenshot(await page.run(around)));
    }
    await page.close();
  }
}

/** Runs in the page: where the entry is, with a little of the page around it. Of a whole page it would be a few points. */
function around(): { x: number; y: number; width: number; height: number } {
  const roots = Array.from(document.body.children, ({ shadowRoot }) => shadowRoot);
  const box = roots.map((root) => root?.querySelector(".box")).find(Boolean);
  const entry = box ?? document.querySelector(".svc-hero-root")!;
  const { left, top, right, bottom } = entry.getBoundingClientRect();
  const [x, y] = [Math.max(0, left - 24), Math.max(0, top - 24)];
  return {
    x,
    y,
    width: Math.min(innerWidth, right + 24) - x,
    height: Math.min(innerHeight, bottom + 24) - y,
  };
}
