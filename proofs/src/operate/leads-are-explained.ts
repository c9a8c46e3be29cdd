import type { Page } from "../browsers/browser.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import type { Claim } from "../runner/proof.ts";
import { until } from "./operated-product.ts";
import type { Operated } from "./operated-product.ts";
import { plantLeads } from "./planted-leads.ts";
import type { PlantedLead } from "./planted-leads.ts";

const MOST_CLICKS = 3;

export const leadsAreExplained: Claim<Operated> = {
  promise:
    "Why did this lead not arrive? The console answers with its cause and the next step, a few clicks from its first page, to somebody who has never used it",
  bound: `each of 20 planted causes named with its next step after at most ${MOST_CLICKS} clicks; the words of another cause are never found`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ say, onEnd }, operated) {
    const planted = await plantLeads(operated, onEnd);
    const page = await operated.browser.newPage();
    await operated.signIn(page, { name: "Noor New", role: "operator" });
    const unexplained: string[] = [];
    const mistaken: string[] = [];
    let most = 0;
    for (const [index, lead] of planted.entries()) {
      const { sentence, clicks } = await askWhy(page, operated.product.server.url, lead);
      most = Math.max(most, clicks);
      const isSaid = ({ says }: PlantedLead): boolean =>
        says.every((words) => sentence.includes(words));
      if (!isSaid(lead)) unexplained.push(lead.why);
      const other = planted[(index + 1) % planted.length]!;
      if (isSaid(other)) mistaken.push(`${lead.why} for ${other.why}`);
      say(
        `${isSaid(lead) ? "explained" : "UNEXPLAINED"}, ${clicks} clicks, ${lead.why}: ${sentence}`,
      );
    }
    return {
      figure: `${unexplained.length} of ${planted.length} unexplained, ${most} clicks at most, ${mistaken.length} taken for another`,
      ok: unexplained.length === 0 && mistaken.length === 0 && most <= MOST_CLICKS,
      engines: [operated.browser.version],
    };
  },
};

/** Begins at the first page each time, and goes where its words lead. */
async function askWhy(
  page: Page,
  url: string,
  { email, says }: PlantedLead,
): Promise<{ sentence: string; clicks: number }> {
  await page.goto(`${url}/console`);
  await until(page, ".notices .notice");
  if (email === undefined) {
    const hidden = await page.run(() => document.querySelector(".notices .rest") !== null);
    if (hidden) await clickOn(page, ".notices .rest");
    return { sentence: await textOf(page, ".notices"), clicks: Number(hidden) };
  }
  await clickOn(page, ".find");
  await page.type(email);
  await until(page, "dialog [role=option]:is(:has(b), :nth-child(2))");
  const isFound = await page.run(() => document.querySelector("dialog [role=option] b") !== null);
  await clickOn(page, `dialog [role=option]${isFound ? ":has(b)" : ""}`);
  if (!isFound) {
    await until(page, ".rows .row", email);
    await clickOn(page, ".rows .row", email);
  }
  await until(page, ".notice b");
  // What is tried again and again is now held and now being sent.
  await waitUntil(
    async () => {
      const sentence = await textOf(page, ".notice");
      if (says.every((words) => sentence.includes(words))) return true;
      await page.reload();
      await until(page, ".notice b");
      return false;
    },
    5_000,
    500,
  );
  return { sentence: await textOf(page, ".notice"), clicks: isFound ? 2 : 3 };
}

async function clickOn(page: Page, selector: string, words = ""): Promise<void> {
  const { x, y } = await page.run(
    (wanted, text) => {
      const all = [...document.querySelectorAll(wanted)];
      const one = all.find(({ textContent }) => textContent.includes(text))!;
      one.scrollIntoView({ block: "center" });
      const { left, top, width, height } = one.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    },
    selector,
    words,
  );
  await page.clickAt(x, y);
}

function textOf(page: Page, selector: string): Promise<string> {
  return page.run((wanted) => document.querySelector(wanted)?.textContent ?? "", selector);
}
