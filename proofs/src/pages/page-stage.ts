import {
  addCustomer,
  changeAccount,
  findAgent,
  NO_START_LIMITS,
  mintPreviewToken,
} from "@svc/server/testing";
import { openBrowser } from "../browsers/browser.ts";
import type { Browser, Engine } from "../browsers/browser.ts";
import { openCustomerSite } from "../product/customer-site.ts";
import { openWholeProduct } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import { openShowing } from "./showing.ts";
import type { Showing } from "./showing.ts";

type OnEnd = (clean: () => unknown) => void;

/** The whole product without limits on starts, and browsers that open when a claim first asks for them. */
export interface PageStage {
  product: WholeProduct;
  /** Asks for a challenge from the seventh start on. */
  floodedAgentId: string;
  /** Starts test sessions of the example agent. */
  previewToken: string;
  browser(engine: Engine): Promise<Browser>;
  /** An agent that shows what it is asked to. */
  showing(): Promise<Showing>;
  /** What the service has recorded since then of what was shown and done, for error messages. */
  eventsSince(date: Date): Promise<string>;
  /** Opens a customer's site, whose origin no other claim uses. Returns its address. */
  openSite(
    onEnd: OnEnd,
    pages: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<string>;
}

export async function openPageStage({ onEnd }: { onEnd: OnEnd }): Promise<PageStage> {
  const product = await openWholeProduct(onEnd, { SVC_LIVE_CAPACITY: "500" });
  await changeAccount(product.stage.database.db, product.customer, {
    defaultAgentId: product.agentId,
    limits: NO_START_LIMITS,
  });
  const flooded = await addCustomer(product.stage.database.db);
  await changeAccount(product.stage.database.db, flooded, {
    // Of ten minutes: a flood of unconnected starts would be over before the last engine has seen it.
    limits: { ...NO_START_LIMITS, starts_per_ten_minutes_per_ipv4_24: 12 },
  });
  const { token: previewToken } = await product.stage.database.db
    .transaction()
    .execute(async (trx) =>
      mintPreviewToken(trx, "ada", "aa", await findAgent(trx, product.agentId), {
        label: "proof",
        expiresInSecs: 3_600,
      }),
    );
  const browsers = new Map<Engine, Promise<Browser>>();
  let showing: Promise<Showing> | undefined;
  return {
    product,
    floodedAgentId: flooded.agent.agentId,
    previewToken,
    showing: () => (showing ??= openShowing(product, onEnd)),
    async eventsSince(date) {
      const { rows } = await product.stage.database.pool.query<{ kind: string; detail: object }>(
        "SELECT kind, detail FROM session_events WHERE at >= $1 AND kind <> 'timings' ORDER BY seq",
        [date],
      );
      return rows.map(({ kind, detail }) => `${kind} ${JSON.stringify(detail)}`).join(", ");
    },
    browser(engine) {
      let browser = browsers.get(engine);
      if (browser === undefined) {
        // A microphone that only those pages use that offer to talk.
        const switches = ["--use-fake-device-for-media-stream"];
        browser = openBrowser(engine, engine === "chromium" ? { switches } : {});
        browsers.set(engine, browser);
        onEnd(async () => (await browser)?.close());
      }
      return browser;
    },
    async openSite(onEndOfClaim, pages, headers) {
      const site = await openCustomerSite(pages, headers);
      onEndOfClaim(() => site.close());
      return site.url;
    },
  };
}
