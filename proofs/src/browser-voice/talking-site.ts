import type { Page } from "../browsers/browser.ts";
import { callInPage } from "../browsers/call-in-page.ts";
import { openCustomerSite, pageWith } from "../product/customer-site.ts";
import type { WholeProduct } from "../product/whole-product.ts";

declare global {
  interface Window {
    /** What the SDK has told the page, in order. */
    heardEvents: [name: string, detail: { sessionId?: string; email?: string }][];
    isReady?: true;
  }
}

/** A customer's site whose button starts a demo, and which keeps what the SDK tells it. */
export interface TalkingSite {
  url: string;
  /** Opens it in a page, and waits until the button works. */
  enter(page: Page, url?: string): Promise<void>;
}

export async function openTalkingSite(
  onEnd: (clean: () => unknown) => void,
  { server, agentId }: Pick<WholeProduct, "server" | "agentId">,
  {
    headers = {},
    ...start
  }: { language?: string; metadata?: SessionData; headers?: Record<string, string> } = {},
): Promise<TalkingSite> {
  const script = `<script>${callInPage(keepEvents, [{ language: "en", ...start }])}</script>`;
  const place = '<div id="place" style="width:320px;height:360px"></div>';
  const site = await openCustomerSite(
    { "/": pageWith(server.url, agentId, place, script) },
    headers,
  );
  onEnd(() => site.close());
  return {
    url: site.url,
    async enter(page, url = site.url) {
      await page.goto(url);
      await page.run(async () => {
        while (!window.isReady) await new Promise((resume) => setTimeout(resume, 10));
      });
    },
  };
}

function keepEvents(start: SvcStartConfig): void {
  window.heardEvents = [];
  addEventListener("load", async () => {
    while (!globalThis.Svc?.version) await new Promise((resume) => setTimeout(resume, 10));
    for (const name of ["open", "started", "email", "ended", "closed"] as const) {
      Svc.on(name, (detail) => window.heardEvents.push([name, detail]));
    }
    const button = document.getElementById("start")!;
    button.removeAttribute("onclick");
    button.addEventListener("click", () => void Svc.startDemo(start));
    window.isReady = true;
  });
}

/** What the SDK has told the page, in order. */
export function eventsOf(page: Page): Promise<Window["heardEvents"]> {
  return page.run(() => window.heardEvents);
}

/** The one session that was started on this page. */
export async function sessionOf(page: Page): Promise<string> {
  const started = (await eventsOf(page)).filter(([name]) => name === "started");
  const [id] = started.map(([, { sessionId }]) => sessionId);
  if (id === undefined || started.length > 1) throw new Error(`${started.length} sessions`);
  return id;
}
