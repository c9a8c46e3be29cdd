import type { Page } from "../browsers/browser.ts";
import { openCustomerSite, pageWith } from "../product/customer-site.ts";
import type { WholeProduct } from "../product/whole-product.ts";

/** A customer's site whose button starts a demo in a language, and which keeps what the SDK tells it. */
export interface TalkingSite {
  url: string;
  /** Opens it in a page, and waits until the button works. */
  enter(page: Page, url?: string): Promise<void>;
}

export async function openTalkingSite(
  onEnd: (clean: () => unknown) => void,
  { server, agentId }: WholeProduct,
  { language = "en", headers = {} }: { language?: string; headers?: Record<string, string> } = {},
): Promise<TalkingSite> {
  const script = `<script>
    window.heardEvents = [];
    addEventListener("load", async () => {
      while (!window.Svc?.version) await new Promise((resume) => setTimeout(resume, 10));
      for (const name of ["open", "started", "email", "ended", "closed"]) Svc.on(name, (detail) => heardEvents.push([name, detail]));
      document.getElementById("start").onclick = () => Svc.startDemo({ language: "${language}" });
      window.isReady = true;
    });
  </script>`;
  const site = await openCustomerSite({ "/": pageWith(server.url, agentId, "", script) }, headers);
  onEnd(() => site.close());
  return {
    url: site.url,
    async enter(page, url = site.url) {
      await page.goto(url);
      await page.run(
        "return new Promise((resolve) => { const look = () => window.isReady ? resolve(true) : setTimeout(look, 10); look(); });",
      );
    },
  };
}

/** What the SDK has told the page, in order. */
export function eventsOf(page: Page): Promise<[name: string, detail: { sessionId?: string }][]> {
  return page.run("return window.heardEvents;");
}

/** The one session that was started on this page. */
export async function sessionOf(page: Page): Promise<string> {
  const started = (await eventsOf(page)).filter(([name]) => name === "started");
  const [id] = started.map(([, { sessionId }]) => sessionId);
  if (id === undefined || started.length > 1) throw new Error(`${started.length} sessions`);
  return id;
}
