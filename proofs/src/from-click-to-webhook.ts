import Papa from "papaparse";
import { ENGINES, openBrowser } from "./browsers/browser.ts";
import type { Engine } from "./browsers/browser.ts";
import { inCall } from "./browsers/in-call.ts";
import { awaitExported, awaitWebhook } from "./product/await-webhook.ts";
import { openCustomerSite, pageWith } from "./product/customer-site.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import type { WholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";

const EMAIL = "dana@example.com";

/** What a site does beside the button: it says what it knows, and listens. */
const PAGE_SCRIPT = `<script>
  window.heardEvents = [];
  addEventListener("load", async () => {
    while (!window.Svc) await new Promise((resume) => setTimeout(resume, 10));
    Svc.setMetadata({ plan: "trial", visitor: "early" });
    for (const name of ["open", "started", "email", "ended", "closed"]) Svc.on(name, (detail) => heardEvents.push([name, detail]));
    document.getElementById("start").onclick = () => Svc.startDemo({ metadata: { visitor: "late", seats: 12 }, language: "en" });
  });
</script>`;

const LINES = [
  "We sell garden tools and want visitors to understand our catalogue.",
  "About 8,000 people visit it in a month.",
  "Next month would be good.",
  "Please send me something by email.",
  "Yes, by email please.",
];

export default defineProof({
  covers: [],
  claims: {
    "from-click-to-webhook": {
      promise:
        "From a click on a customer's page to the signed webhook and the same session in JSON and CSV, in three browser engines",
      bound: "0 faults in Chromium, Firefox and WebKit",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const product = await openWholeProduct(onEnd);
        const site = await openCustomerSite({
          "/": pageWith(product.server.url, product.agentId, "", PAGE_SCRIPT),
        });
        onEnd(() => site.close());
        const versions: string[] = [];
        let faults = 0;
        for (const engine of ENGINES) {
          const found = await walk(product, site.url, engine, (version) =>
            versions.push(version),
          ).catch((error: unknown) => [String(error)]);
          faults += found.length;
          say(
            `${versions.at(-1) ?? engine}: ${found.length === 0 ? "every station" : found.join("; ")}`,
          );
        }
        return {
          figure: `${faults} faults in ${versions.join(", ")}`,
          ok: faults === 0,
          engines: versions,
        };
      },
    },
  },
});

/** Every station of the way; returns what is wrong. */
async function walk(
  product: WholeProduct,
  siteUrl: string,
  engine: Engine,
  onVersion: (version: string) => void,
): Promise<string[]> {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const browser = await openBrowser(engine);
  try {
    const page = await browser.newPage();
    onVersion(browser.version);
    await page.goto(siteUrl);
    const call = inCall(page);
    await page.run(
      "return new Promise((resolve) => { const look = () => document.getElementById('start').onclick ? resolve(true) : setTimeout(look, 20); look(); });",
    );

    await call.click("#start");
    await call.see("h2", "Linden");
    await call.see("p", "You talk with an AI");
    const before = await product.stage.database.pool.query(
      "SELECT 1 FROM sessions WHERE settled_at IS NULL",
    );
    check(before.rowCount === 0, "a session exists before the notice was accepted");

    await call.click("button", "Start by typing");
    await call.see("li.assistant", "Linden");
    await call.see(".replies button");
    const [reply] = await call.texts(".replies button");
    await call.click(".replies button");
    await call.see("li.user", reply);
    await call.see(".stage h3");
    for (const line of LINES) {
      const turns = (await call.texts("li.assistant")).length;
      await call.say(line);
      await listen(call, turns);
      if ((await call.texts("form.card")).length > 0) break;
    }
    await call.see("form.card input", "");
    await page.run(
      "const deep = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])]); const field = deep(document).find((one) => one.type === 'email'); field.focus(); field.select();",
    );
    await page.type(EMAIL);
    await page.press("Enter");
    await call.see("li.note", EMAIL);
    const said = await call.texts("li.user .said, li.assistant .said");
    await call.click("button.end");
    await call.see("h2", "Thank you");
    await call.see(".lead", EMAIL);
    await call.click(".rating button", "5 of 5");
    await call.click("button", "Close");
    await call.gone("dialog");

    const heard = await page.run<[string, Record<string, unknown>][]>("return window.heardEvents;");
    check(
      heard.map(([name]) => name).join() === "open,started,email,ended,closed",
      `events ${heard.map(([name]) => name).join()}`,
    );
    const sessionId = String(heard.find(([name]) => name === "started")?.[1]["sessionId"]);
    const { data } = await awaitWebhook(product, sessionId);
    check(data.email === EMAIL && data.metadata?.["email"] === EMAIL, `email ${data.email}`);
    check(data.metadata?.["plan"] === "trial", "setMetadata was lost");
    check(
      data.metadata?.["visitor"] === "late" && data.metadata["seats"] === "12",
      "startDemo's metadata was lost",
    );
    check(data.status === "processed", `status ${data.status}`);
    const written = (data.transcript ?? []).map(({ content }) => content);
    const missing = said.filter(
      (text) => !written.some((turn) => turn.startsWith(text.replace(/ —$/, ""))),
    );
    check(missing.length === 0, `on the screen, not in the transcript: ${missing.join(" | ")}`);

    const exported = await awaitExported(product, sessionId);
    check(JSON.stringify(exported) === JSON.stringify(data), "webhook and JSON differ");
    const cells = await csvRow(product, sessionId);
    check(cells?.["email"] === EMAIL, "the CSV has another address");
    check(cells?.["metadata"] === JSON.stringify(data.metadata), "the CSV has other metadata");
    check(
      cells?.["evaluation"] === JSON.stringify(data.evaluation),
      "the CSV has another evaluation",
    );
    const errors = page.said().filter((line) => line.startsWith("error"));
    check(errors.length === 0, errors.join(" | "));
    await page.close();
  } finally {
    await browser.close();
  }
  return faults;
}

/** Until the agent has answered and waits. */
async function listen(call: ReturnType<typeof inCall>, turnsBefore: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const turns = (await call.texts("li.assistant")).length;
    const [state] = await call.texts(".state");
    if (turns > turnsBefore && state === "Your turn") return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error("the agent did not answer");
}

async function csvRow(
  { server, customer }: WholeProduct,
  sessionId: string,
): Promise<Record<string, string> | undefined> {
  const response = await fetch(`${server.url}/v1/sessions.csv`, {
    headers: { authorization: `Bearer ${customer.token}` },
  });
  const { data } = Papa.parse<Record<string, string>>(await response.text(), { header: true });
  return data.find(({ id }) => id === sessionId);
}
