import { addCustomer } from "@svc/server/testing";
import type { Page } from "../browsers/browser.ts";
import type { Claim } from "../runner/proof.ts";
import { until } from "./operated-product.ts";
import type { Operated } from "./operated-product.ts";

declare global {
  interface Window {
    /** The fields whose text ran as a script. */
    ran?: string[];
  }
}

/** Runs as a script wherever it is taken for markup, in an element or in an attribute. */
const hostile = (field: string): string =>
  `"><img src=x onerror="(window.ran??=[]).push('${field}')">`;

export const storedTextStaysText: Claim<Operated> = {
  promise:
    "Whatever visitors, receivers, models and customers write, the console shows it as text: nothing of it runs",
  bound:
    "0 of 27 stored fields run, load or become an element, and each of them is seen; in a page without the console's safeguards all run",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  async prove({ say }, operated) {
    const { browser, product, eventful, receiverId, busy } = operated;
    const fields = await plant(operated);
    const page = await browser.newPage();
    await operated.signIn(page, { name: hostile("person"), role: "admin" });
    const paths = [
      "",
      "?by=agent",
      "/sessions",
      "/sessions?text=dana",
      `/sessions/${eventful}`,
      `/deliveries?endpoint=${receiverId}`,
      `/endpoints/${receiverId}`,
      "/agents",
      "/accounts",
      `/accounts/${busy.account.clientId}`,
      "/me",
    ];
    let text = "";
    const bad: string[] = [];
    for (const path of paths) {
      await page.goto(`${product.server.url}/console${path}`);
      await until(page, ".page :is(.row, .part, .facts)");
      if (path.startsWith("/accounts/")) await until(page, "td b");
      if (path.startsWith("/deliveries")) {
        // Hers is the newest.
        await until(page, ".foot");
        await page.run(() => {
          document.querySelectorAll<HTMLElement>(".rows .row")[1]!.click();
        });
        await until(page, "aside .box");
      }
      const seen = await lookAt(page);
      text += seen.text;
      bad.push(...seen.bad.map((what) => `${path || "/"}: ${what}`));
    }
    const unseen = fields.filter((field) => !text.includes(`push('${field}')`));
    for (const one of [...bad, ...unseen.map((field) => `${field} is never shown`)]) say(one);

    const plain = await browser.newPage();
    await plain.run(
      (markup) => void (document.body.innerHTML = markup),
      fields.map(hostile).join(),
    );
    await new Promise((done) => setTimeout(done, 500));
    const ran = new Set(await plain.run(() => window.ran ?? []));
    say(`control: in a page without safeguards ${ran.size} of ${fields.length} run`);
    return {
      figure: `${bad.length} of ${fields.length} fields run or become markup, ${unseen.length} never shown`,
      ok: bad.length === 0 && unseen.length === 0 && ran.size === fields.length,
      engines: [browser.version],
    };
  },
};

/** Everything that the page says, titles included, and what was taken for more than text. */
async function lookAt(page: Page): Promise<{ text: string; bad: string[] }> {
  return page.run(() => {
    const titles = [...document.querySelectorAll("[title], [aria-label], option")];
    const text = [
      document.body.textContent,
      ...titles.map((one) => `${one.getAttribute("title")} ${one.getAttribute("aria-label")}`),
    ].join();
    return {
      text,
      bad: [
        ...(window.ran ?? []).map((field) => `${field} ran`),
        ...Array.from(
          document.querySelectorAll("img[src='x'], script:not([src])"),
          (one) => `an element: ${one.outerHTML.slice(0, 60)}`,
        ),
        ...Array.from(
          document.querySelectorAll("[href^='javascript:'], [src^='javascript:']"),
          () => "an address that runs",
        ),
      ],
    };
  });
}

/** Puts it into every field that pages show. Returns their names. */
async function plant({ product, eventful, receiverId, busy }: Operated): Promise<string[]> {
  const { db, pool } = product.stage.database;
  const fields: string[] = ["person"];
  const text = (field: string): string => {
    fields.push(field);
    return hostile(field);
  };
  const account = busy.account.id;
  const set = async (sql: string, ...values: unknown[]): Promise<unknown> =>
    pool.query(sql, values);
  await set("UPDATE accounts SET name = $1 WHERE id = $2", text("account"), account);
  await addCustomer(db, { name: "Other", agent: { name: text("agent") } });
  await set("UPDATE tokens SET label = $1 WHERE account_id = $2", text("label"), account);
  await set(
    "UPDATE sessions SET email = $2, page = $3, metadata = $4, language = 'en' WHERE id = $1",
    eventful,
    text("email"),
    text("page"),
    { [text("key")]: text("value") },
  );
  const evaluation = {
    language: "en",
    customer_name: text("name"),
    qualification: { status: "qualified", reasoning: text("reasoning") },
    questions: {
      [text("question")]: { was_asked: true, was_answered: true, answer: text("answer") },
    },
    insights: { [text("insight")]: { value: text("finding"), evidence: text("evidence") } },
    objections: [{ objection: text("objection"), response: text("response") }],
    prospect_questions: [{ question: text("their question"), answer: text("their answer") }],
    summary: "",
  };
  await set(
    "UPDATE evaluations SET evaluation = $2, model = $3, dropped = $4 WHERE session_id = $1",
    eventful,
    evaluation,
    text("model"),
    JSON.stringify([{ where: text("place"), why: text("why") }]),
  );
  await set(
    "UPDATE session_exports SET evaluation = $2, email = $3, transcript = $4 WHERE id = $1",
    eventful,
    JSON.stringify(evaluation),
    hostile("email"),
    JSON.stringify([{ role: "user", content: text("said") }]),
  );
  await set("UPDATE turns SET content = $2 WHERE session_id = $1", eventful, hostile("said"));
  await set(
    "UPDATE session_events SET detail = jsonb_build_object('id', $2::text, 'code', $2::text, 'sections', jsonb_build_array($2::text)) WHERE session_id = $1 AND kind <> 'timings'",
    eventful,
    text("event"),
  );
  await set(
    "UPDATE delivery_attempts SET answer = convert_to($2, 'UTF8') WHERE delivery_id IN (SELECT id FROM deliveries WHERE session_id = $1)",
    eventful,
    text("receiver"),
  );
  await set(
    "UPDATE webhook_endpoints SET url = 'https://crm.example/' || $2 WHERE id = $1",
    receiverId,
    text("address"),
  );
  await set("UPDATE processes SET instance = $1", text("process"));
  return fields;
}
