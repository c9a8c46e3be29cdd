import { awaitExported, awaitWebhook } from "./product/await-webhook.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import type { WholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import { findLeaks } from "./talk/find-leaks.ts";
import { nextLine, TALKS } from "./talk/talks.ts";
import type { Talk } from "./talk/talks.ts";
import { Visitor } from "./talk/visitor.ts";

const METADATA = { plan: "trial", seats: 12, note: "" };
const QUESTIONS = ["use_case", "monthly_visitors", "timeline"];

export default defineProof({
  covers: [],
  claims: {
    "whole-talk-in-text": {
      promise:
        "A typed demo goes from its start to the signed webhook and the export, in four languages, and nothing but the dialogue is in its transcript",
      bound: "0 faults in four languages, a planted leak is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const product = await openWholeProduct(onEnd);
        const results = await Promise.all(
          TALKS.map(async (talk) => ({ talk, faults: await faultsOf(product, talk) })),
        );
        for (const { talk, faults } of results) {
          say(`${talk.language}: ${faults.length === 0 ? "whole" : faults.join("; ")}`);
        }
        const planted = findLeaks([{ role: "assistant", content: 'show_content {"id":"x"}' }], "");
        say(`control: ${planted.length} leaks seen in a planted turn`);
        const faults = results.flatMap((one) => one.faults);
        return {
          figure: `${faults.length} faults in ${results.length} languages`,
          ok: faults.length === 0 && planted.length > 0,
        };
      },
    },
  },
});

async function faultsOf(product: WholeProduct, talk: Talk): Promise<string[]> {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));

  const visitor = await Visitor.enter(product.server.url, {
    agentId: product.agentId,
    language: talk.language,
    metadata: METADATA,
  });
  const { screen } = visitor;
  await visitor.listen();
  const said: string[] = [];
  while (!screen.hasEnded && screen.openCard?.kind !== "email") {
    const line = nextLine(talk, screen.turns("assistant").at(-1)?.text ?? "", said);
    if (line === undefined) break;
    said.push(line);
    await visitor.say(line);
  }
  check(screen.openCard?.kind === "email", "no email card was opened");
  if (screen.openCard?.kind === "email") await visitor.confirmEmail(talk.email);
  if (!screen.hasEnded) await visitor.end();
  visitor.rate(5);
  check(screen.contents > 0, "nothing was shown");

  const event = await awaitWebhook(product, visitor.sessionId);
  const exported = await awaitExported(product, visitor.sessionId);
  visitor.leave();
  const { data } = event;
  check(JSON.stringify(data) === JSON.stringify(exported), "webhook and export differ");
  check(data.status === "processed", `status ${data.status}`);
  check(data.email === talk.email, `email ${data.email}`);
  check(data.metadata?.["email"] === talk.email, "metadata has no address");
  check(data.metadata?.["seats"] === "12" && data.metadata["plan"] === "trial", "metadata changed");
  check(data.evaluation?.language === talk.language, `language ${data.evaluation?.language}`);
  const asked = QUESTIONS.filter((key) => data.evaluation?.questions?.[key]?.was_answered);
  check(asked.length === QUESTIONS.length, `answered only ${asked.join(", ")}`);
  check(
    JSON.stringify(data.transcript) === JSON.stringify(screen.transcript()),
    "the transcript is not what was on the screen",
  );
  for (const leak of findLeaks(data.transcript, talk.email)) faults.push(`leaked ${leak}`);
  const kinds = await eventKinds(product, visitor.sessionId);
  for (const kind of ["tool", "rating", "goal"]) {
    check(kinds.includes(kind), `no operator event of kind ${kind}`);
  }
  return faults;
}

async function eventKinds({ stage }: WholeProduct, sessionId: string): Promise<string[]> {
  const { rows } = await stage.database.pool.query<{ kind: string }>(
    "SELECT DISTINCT kind FROM session_events WHERE session_id = $1",
    [sessionId],
  );
  return rows.map(({ kind }) => kind);
}
