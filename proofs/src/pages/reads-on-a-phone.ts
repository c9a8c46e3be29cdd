import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyFolder } from "@svc/server/testing";
import type { LiveShown } from "@svc/contract/types";
import type { Engine, Page } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import { pageWith, untilLoaded } from "../product/customer-site.ts";
import type { Claim } from "../runner/proof.ts";
import type { PageStage } from "./page-stage.ts";

const MIN_PX = 12;

/** Letters of 15 in 960 units are 5.6 pixels high where it is drawn as wide as a phone. */
const DRAWN_TEXT = 15;
const DRAWN_WIDTH = 960;
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${DRAWN_WIDTH} 420"><rect width="960" height="420" fill="#eee"/><text x="40" y="60" font-size="${DRAWN_TEXT}">About five minutes, in the visitor's language</text></svg>`;
const LONG = "Donaudampfschifffahrtsgesellschaft";

/** A slide of every kind, with more in it than a phone has room for. */
const SLIDES: Record<string, { file: string; kind: LiveShown["kind"]; text: string }> = {
  title: slide("title", `# Every crew at the right door, ${LONG} included\nBy nine.`),
  number: slide(
    "number",
    `# 1,234,567 ${LONG}\nless driving\n- Before, with the spreadsheet: 161 (2 h 41 min)\n- After: 123\n\nMedian`,
  ),
  quote: slide(
    "quote",
    `> ${"We stopped calling each other. ".repeat(6)}\n\nMara Köhler\nHead of service at the ${LONG}`,
  ),
  steps: slide(
    "steps",
    `# From a call to a crew\n${[1, 2, 3, 4, 5].map((n) => `${n}. **Step ${n} of ${LONG}.** ${"And so on. ".repeat(5)}`).join("\n")}`,
  ),
  comparison: slide(
    "comparison",
    `# Monday\n## Before\n- ${LONG} calls\n- Two\n## After\n- None\n- Two`,
  ),
  table: slide(
    "table",
    `# Prices\n| Plan | For | Per crew | Six crews | Start | Term |\n|---|---|---:|---:|---|---|\n| **Growth** | 5 to 20 crews at ${LONG} | €29 | €174 | today | a month |\n| Fleet | 20 and more | €37 | €222 | soon | a year |`,
  ),
  code: slide(
    "code",
    `# Jobs\n\`\`\`js\nconst job = await tidewise.jobs.create({ address: "Hafenstrasse 12, 24103 Kiel", skill: "heat pump", hours: 2 });\n\`\`\``,
  ),
  screenshot: slide(
    "screenshot",
    `# The board\n![The board](drawing.svg)\n1. 5% 12% **Time.** ${"Said. ".repeat(9)}\n2. 90% 80% **End.** Here.`,
  ),
  video: slide(
    "video",
    `# A tour\n![A tour](https://www.example.com/tour.mp4)\n- 0:00 The board of the ${LONG}\n- 1:05 A job`,
  ),
  text: {
    file: "text.md",
    kind: "markdown",
    text: `## What we promise\n- **Heard.** ${LONG}\n\n\`\`\`\n${"long line ".repeat(12)}\n\`\`\``,
  },
  image: { file: "picture.svg", kind: "image", text: DRAWING },
  csv: { file: "rows.csv", kind: "table", text: `What,Where,When,Why,Who\n${LONG},b,c,d,e\n` },
  source: {
    file: "source.html",
    kind: "code",
    text: `<script async id="svc-sdk" src="https://svc.example.com/sdk/sdk.js"></script>`,
  },
};

function slide(kind: string, text: string): (typeof SLIDES)[string] {
  return { file: `${kind}.md`, kind: "markdown", text: `---\nkind: ${kind}\n---\n${text}\n` };
}

/** Each page is opened in one call, and shows every slide. Only Chromium can be asked for a dark one. */
const PAGES: { engine: Engine; width: number; height: number; dark?: boolean }[] = [
  { engine: "chromium", width: 390, height: 844 },
  { engine: "chromium", width: 390, height: 844, dark: true },
  { engine: "chromium", width: 320, height: 568 },
  { engine: "chromium", width: 320, height: 568, dark: true },
  { engine: "firefox", width: 390, height: 844 },
  { engine: "webkit", width: 320, height: 568 },
];

export const readsOnAPhone: Claim<PageStage> = {
  promise: "Every kind of slide is read on a phone: no small letters, and nothing that is cut off",
  bound: `0 texts below ${MIN_PX} px and 0 parts out of reach, for every kind of slide at 390 and 320 px, light and dark, in its place and enlarged, and in Firefox and WebKit; a text of 11 px, a table that is cut and a drawing without its width are noticed`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ say, onEnd, progress }, stage) {
    const { product } = stage;
    const contents = await applySlides(stage, onEnd);
    const faults: string[] = [];
    const planted: string[] = [];
    const versions = new Set<string>();
    for (const [index, { engine, ...options }] of PAGES.entries()) {
      progress(index, PAGES.length, "pages");
      // A page of its own origin: a call on it would go on with the last one's otherwise.
      const url = await stage.openSite(onEnd, {
        "/": pageWith(product.server.url, product.agentId),
      });
      const browser = await stage.browser(engine);
      versions.add(browser.version);
      const page = await browser.newPage(options);
      await page.goto(url);
      await untilLoaded(page);
      await page.run(keepSocket);
      const call = inCall(page);
      await call.click("#start");
      await call.click("button", "Start by typing");
      await call.see("li.assistant");
      const view = `${engine}, ${options.width} px${options.dark === true ? ", dark" : ""}`;
      for (const content of contents) {
        const found = await lookAt(page, content);
        faults.push(...found.map((fault) => `${view}, ${content.id}: ${fault}`));
      }
      if (index === 0) planted.push(...(await plant(page, contents)));
      await page.close();
    }
    for (const fault of faults.slice(0, 20)) say(fault);
    say(`control: ${planted.join("; ")}`);
    return {
      figure: `${faults.length} faults in ${contents.length} slides on ${PAGES.length} pages`,
      ok: faults.length === 0 && planted.length === 3,
      engines: [...versions],
    };
  },
};

/** Applies an agent that has them all, and says how the call is told of each. */
async function applySlides(
  { product: { stage, customer, server } }: PageStage,
  onEnd: (clean: () => unknown) => void,
): Promise<LiveShown[]> {
  const at = await mkdtemp(join(tmpdir(), "slides-"));
  onEnd(() => rm(at, { recursive: true }));
  const folder = join(at, "slides");
  await mkdir(folder);
  const content = Object.entries(SLIDES).map(([id, { file, kind }]) => ({
    id,
    title: id,
    kind,
    file,
  }));
  // JSON is YAML.
  await writeFile(join(folder, "agent.yaml"), JSON.stringify({ name: "Slides", content }));
  await writeFile(join(folder, "drawing.svg"), DRAWING);
  for (const { file, text } of Object.values(SLIDES)) await writeFile(join(folder, file), text);
  const { agentId } = await applyFolder(stage.database.db, customer.account.id, folder);
  const { rows } = await stage.database.pool.query<StoredContent>(
    `SELECT one ->> 'id' AS id, one ->> 'kind' AS kind, one -> 'file' ->> 'sha256' AS file, one -> 'slide' ->> 'sha256' AS slide
     FROM agent_versions, json_array_elements(config -> 'content') AS one WHERE agent_id = $1`,
    [agentId],
  );
  const urlOf = (sha256: string): string =>
    `${server.url}/sdk/v1/agents/${agentId}/files/${sha256}`;
  return rows.map(({ id, kind, file, slide: data }) => ({
    id,
    title: id,
    kind,
    url: urlOf(file),
    ...(data !== null && { slide_url: urlOf(data) }),
  }));
}

/** Hashes of its files. */
interface StoredContent {
  id: string;
  kind: LiveShown["kind"];
  file: string;
  slide: string | null;
}

declare global {
  interface Window {
    /** The call's socket, the number of the last message on it, and how many were added to those. */
    live: { socket: WebSocket; seq: number; added: number };
    lastSlide?: Element;
  }
}

/** Runs in the page: what the server could say is said on this socket, which the server is not told of. */
function keepSocket(): void {
  window.WebSocket = class extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      const live = { socket: this as WebSocket, seq: 0, added: 0 };
      window.live = live;
      this.addEventListener("message", ({ data, isTrusted }) => {
        if (typeof data !== "string" || !isTrusted) return;
        const { seq = 0, sent = 0 } = JSON.parse(data) as { seq?: number; sent?: number };
        live.seq = Math.max(live.seq, seq, sent);
      });
    }

    /** The server would refuse a ping that has received more than it sent. */
    override send(data: string): void {
      const message = JSON.parse(data) as { received?: number };
      if (message.received !== undefined) message.received = window.live.seq;
      super.send(JSON.stringify(message));
    }
  };
}

async function lookAt(page: Page, content: LiveShown): Promise<string[]> {
  await page.run((shown) => {
    const { live } = window;
    live.added += 1;
    const data = JSON.stringify({ type: "content", seq: live.seq + live.added, content: shown });
    live.socket.dispatchEvent(new MessageEvent("message", { data }));
  }, content);
  return page.run(faultsOfSlide, MIN_PX, DRAWN_TEXT / DRAWN_WIDTH);
}

/**
 * Runs in the page: waits for the slide, and says what cannot be read of it, in its place and enlarged.
 * @param drawn the height of the letters in a drawing, as a part of its width
 */
async function faultsOfSlide(minPx: number, drawn: number): Promise<string[]> {
  const find = (selector: string): HTMLElement[] =>
    Array.from(document.body.children, ({ shadowRoot }) => shadowRoot).flatMap((root) => [
      ...(root?.querySelectorAll<HTMLElement>(selector) ?? []),
    ]);
  const pause = (ms: number): Promise<unknown> => new Promise((go) => setTimeout(go, ms));
  const isNew = (): boolean => (find(".deck")[0] ?? window.lastSlide) !== window.lastSlide;
  for (let tries = 0; tries < 200 && !isNew(); tries += 1) await pause(25);
  const [deck] = find(".deck");
  if (!isNew() || deck === undefined) return ["it is not shown"];
  window.lastSlide = deck;
  const scroller = deck.parentElement!;
  const stage = scroller.parentElement!;
  const faults = new Set<string>();

  async function look(): Promise<void> {
    // Until it has moved to its place, and what watches it was told.
    await Promise.all(stage.getAnimations({ subtree: true }).map(({ finished }) => finished));
    await pause(60);
    const walker = document.createTreeWalker(deck!, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent!.trim();
      const holder = walker.currentNode.parentElement!;
      if (text === "" || isForReaders(holder)) continue;
      const { fontSize } = getComputedStyle(holder);
      if (Number.parseFloat(fontSize) < minPx) faults.add(`letters of ${fontSize}: "${text}"`);
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      // Above and below its letters a line is empty, and a tight heading lets that overlap.
      const empty = 0.15 * Number.parseFloat(fontSize);
      for (const { x, y, width, height } of range.getClientRects())
        checkReach(holder, new DOMRect(x, y + empty, width, height - 2 * empty), text);
    }
    for (const part of deck!.querySelectorAll<HTMLElement>("img, video, button, table, pre")) {
      if (part.clientWidth === 0) continue;
      const box = part.getBoundingClientRect();
      checkReach(part.parentElement!, box, part.localName);
      const letters = box.width * drawn;
      if (part.localName === "img" && letters < minPx)
        faults.add(`a drawing with letters of ${letters.toFixed(1)}px`);
    }
    const isLonger = scroller.scrollHeight > scroller.clientHeight + 8;
    if (isLonger && !scroller.classList.contains("more"))
      faults.add("nothing says that it goes on");
  }

  /** Said by screen readers only; what is seen says the same elsewhere. */
  function isForReaders(element: Element): boolean {
    for (let at: Element | null = element; at !== null && at !== deck; at = at.parentElement)
      if (getComputedStyle(at).clipPath !== "none") return true;
    return false;
  }

  /** A part is in reach if everything around it that cuts either holds it or can be scrolled to it. */
  function checkReach(from: Element, { left, right, top, bottom }: DOMRect, name: string): void {
    let isScrolledX = false;
    let isScrolledY = false;
    for (let at: Element | null = from; at !== null && at !== stage; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      const [x, y] = [left - box.left + at.scrollLeft, top - box.top + at.scrollTop];
      if (!isScrolledX && overflowX !== "visible") {
        isScrolledX = overflowX === "auto" || overflowX === "scroll";
        const isOut = isScrolledX
          ? x < -1 || x + right - left > at.scrollWidth + 1
          : left < box.left - 1 || right > box.right + 1;
        if (isOut) faults.add(`cut at the side of ${at.localName}: "${name}"`);
        // On a phone, only what is moved by its own frame may be moved aside.
        if (isScrolledX && at === scroller && at.scrollWidth > at.clientWidth + 1)
          faults.add("the slide moves aside");
      }
      if (!isScrolledY && overflowY !== "visible") {
        isScrolledY = overflowY === "auto" || overflowY === "scroll";
        const isOut = isScrolledY
          ? y < -1 || y + bottom - top > at.scrollHeight + 1
          : top < box.top - 1 || bottom > box.bottom + 1;
        if (isOut) faults.add(`cut below by ${at.localName}: "${name}"`);
      }
    }
    if (!isScrolledX && (left < -1 || right > innerWidth + 1)) faults.add(`sticks out: "${name}"`);
  }

  await look();
  deck.click();
  await look();
  const { width, height } = stage.getBoundingClientRect();
  if (width < innerWidth - 1 || height < innerHeight - 1)
    faults.add(`enlarged it is ${width} × ${height} px`);
  stage.querySelector<HTMLElement>(".enlarge")!.click();
  return [...faults];
}

/** A text of 11 px, a table in one line that is cut, a drawing as wide as the phone: each must be found. */
async function plant(page: Page, contents: LiveShown[]): Promise<string[]> {
  await page.run(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      ".deck .note { font-size: 11px; } .deck td span { white-space: nowrap; overflow-wrap: normal; }",
    );
    for (const { shadowRoot } of document.body.children)
      if (shadowRoot) shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets, sheet];
  });
  const of = (id: string): LiveShown => contents.find((content) => content.id === id)!;
  const { slide_url: _, ...bare } = of("image");
  const seen = [
    [await lookAt(page, of("number")), "letters of 11px"],
    [await lookAt(page, of("table")), "cut at the side"],
    [await lookAt(page, { ...bare, id: "bare" }), "a drawing with letters"],
  ] as const;
  return seen.flatMap(([faults, kind]) => faults.find((one) => one.startsWith(kind)) ?? []);
}
