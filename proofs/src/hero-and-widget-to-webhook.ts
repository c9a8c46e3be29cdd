import { openBrowser } from "./browsers/browser.ts";
import type { Engine } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import { awaitExported, awaitWebhook } from "./product/await-webhook.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { untilLoaded } from "./product/until-loaded.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import type { WholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";

const FORM =
  '{ dataKey: "email", validator: (value) => value.includes("@") || "An address has an @." }';
const ENTRIES: { name: string; open: string; cta: string; hasForm: boolean; engine: Engine }[] = [
  {
    name: "widget",
    open: "Svc.widget.show();",
    cta: ".box .cta",
    hasForm: false,
    engine: "chromium",
  },
  {
    name: "widget with a form",
    open: `Svc.widget.configure({ collectData: ${FORM} }); Svc.widget.show();`,
    cta: ".box .cta",
    hasForm: true,
    engine: "firefox",
  },
  {
    name: "hero",
    open: 'Svc.hero.mount(document.getElementById("place"));',
    cta: ".svc-hero-cta",
    hasForm: false,
    engine: "webkit",
  },
  {
    name: "hero with a form",
    open: `Svc.hero.mount(document.getElementById("place"), { collectData: ${FORM} });`,
    cta: ".svc-hero-cta",
    hasForm: true,
    engine: "chromium",
  },
];

export default defineProof({
  covers: [],
  claims: {
    "hero-and-widget-to-webhook": {
      promise:
        "Widget and hero, with and without a form, lead through the whole call to the webhook",
      bound: "0 faults in four ways in",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const product = await openWholeProduct(onEnd);
        const place = '<div id="place" style="width:320px;height:360px"></div>';
        const site = await openCustomerSite({
          "/": pageWith(product.server.url, product.agentId, place),
        });
        onEnd(() => site.close());
        let faults = 0;
        for (const entry of ENTRIES) {
          const found = await walk(product, site.url, entry).catch((error: unknown) => [
            String(error),
          ]);
          faults += found.length;
          say(`${entry.name}, ${entry.engine}: ${found.length === 0 ? "whole" : found.join("; ")}`);
        }
        return { figure: `${faults} faults in ${ENTRIES.length} ways in`, ok: faults === 0 };
      },
    },
  },
});

async function walk(
  product: WholeProduct,
  siteUrl: string,
  { open, cta, hasForm, engine }: (typeof ENTRIES)[number],
): Promise<string[]> {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const browser = await openBrowser(engine);
  try {
    const page = await browser.newPage();
    await page.goto(siteUrl);
    const call = inCall(page);
    await untilLoaded(page);
    await page.run(
      `Svc.setMetadata({ plan: "pro", email: "page@example.com" }); Svc.on("started", ({ sessionId }) => { window.sessionId = sessionId; }); ${open} return true;`,
    );
    if (hasForm) {
      await call.click("input[type=email]");
      await page.type("nobody");
      await call.click(cta);
      await call.see("[role=alert]", "An address has an @.");
      await call.click("input[type=email]");
      await page.type("@example.com");
    }
    await call.click(cta);
    await call.click("button", "Start by typing");
    await call.see("li.assistant");
    await call.say("We sell garden tools.");
    await call.see("li.assistant:nth-of-type(3)");
    await call.click("button.end");
    await call.click("button", "Close");
    const sessionId = await page.run<string>("return window.sessionId;");
    const { data } = await awaitWebhook(product, sessionId);
    const email = hasForm ? "nobody@example.com" : "page@example.com";
    check(data.email === email && data.metadata?.["email"] === email, `email ${data.email}`);
    check(data.metadata?.["plan"] === "pro", "setMetadata was lost");
    const exported = await awaitExported(product, sessionId);
    check(JSON.stringify(exported) === JSON.stringify(data), "webhook and export differ");
    await page.close();
  } finally {
    await browser.close();
  }
  return faults;
}
