import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { startLanguageModel } from "@svc/rehearsal";
import {
  createLanguageModel,
  judgeConversation,
  plainConfig,
  rubricOf,
  systemClock,
} from "@svc/server/testing";
import type { Conversation, LanguageModel } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { CANARIES, canariesIn } from "./judging/canaries.ts";
import { defects } from "./judging/defects.ts";
import { makeCase } from "./judging/evidence-case.ts";
import { brokenJudges, faultsIn, judgeOutput } from "./judging/evidence-check.ts";
import { FAIR_BOUND, playJudges } from "./judging/play-judges.ts";
import { ORDERS, QUALIFIED_TALK, RUBRIC, TALKS } from "./judging/orders.ts";
import { copyServer, describe, isCaught, isWhole, ROOT, runScore } from "./judging/server-copy.ts";
import type { Scored } from "./judging/server-copy.ts";
import { defineProof } from "./runner/proof.ts";
import type { Tools } from "./runner/proof.ts";

/** Enough for every broken judge to meet what it gets wrong, several times over. */
const CASES_FOR_BROKEN = 400;
/** In German every noun has a capital, so that names are harder to tell. */
const RECORD_LANGUAGES = ["en", "de"];

export default defineProof({
  covers: ["server/src/evaluation/", "server/src/language/", "server/src/models/"],
  claims: {
    "evidence-is-real": {
      promise:
        "Nothing is published about a conversation that it does not show, and what it shows is not lost.",
      bound: "0 made up, 0 lost, every broken checker noticed",
      tier: "gate",
      prove: proveEvidence,
    },
    "judge-agrees": {
      promise:
        "Conversations are judged as a careful reader judges them, whatever the model invents, and a defect in the judging shows",
      bound: "all agree, all planted defects caught",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: proveAgreement,
    },
    "judge-is-fair": {
      promise:
        "What an honest judge says about natural talks in many languages is published, and what a careless or deceived one says is not, from the import to the export and the webhook.",
      bound: FAIR_BOUND,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: playJudges,
    },
    "prompt-stays-shut": {
      promise:
        "No order in a conversation or in metadata brings a secret out through an evaluation, and nobody is qualified by asking for it.",
      bound: "0 let out, 0 verdicts won, honest talks judged as they are",
      tier: "gate",
      prove: proveShut,
    },
  },
});

async function proveEvidence({ seed, sized, say, progress, timeLeftMs }: Tools) {
  const { cases, fewest } = sized({
    gate: { cases: 1_000, fewest: 300 },
    quick: { cases: 10_000, fewest: 1_000 },
    full: { cases: 1_000_000, fewest: 100_000 },
  });
  let unnoticed = 0;
  for (const [mistake, judge] of brokenJudges) {
    let noticed: string | undefined;
    for (let index = 0; noticed === undefined && index < CASES_FOR_BROKEN; index++) {
      const one = makeCase(new Random(seed, index));
      [noticed] = faultsIn(one, await judge(one.text, one.talk));
    }
    if (noticed === undefined) unnoticed += 1;
    say(`control, a checker that ${mistake}: ${noticed?.slice(0, 120) ?? "unnoticed"}`);
  }

  const sum = { cases: 0, unreadable: 0, madeUp: 0, lost: 0, dropped: 0 };
  for (let index = 0; index < cases && timeLeftMs() > 0; index++) {
    const one = makeCase(new Random(seed, index));
    const checked = await judgeOutput(one.text, one.talk);
    const faults = faultsIn(one, checked);
    sum.cases += 1;
    sum.dropped += checked?.dropped.length ?? 0;
    if (one.expected === undefined) sum.unreadable += 1;
    if (faults.some((fault) => fault.startsWith("LOST"))) sum.lost += 1;
    if (faults.some((fault) => fault.startsWith("MADE UP"))) sum.madeUp += 1;
    if (sum.lost + sum.madeUp <= 10) for (const fault of faults) say(`case ${index}: ${fault}`);
    progress(index + 1, cases, "outputs");
  }
  const count = (number: number): string => number.toLocaleString("en");
  say(`${count(sum.unreadable)} outputs unreadable, ${count(sum.dropped)} claims dropped`);
  return {
    figure: `${sum.madeUp} made up and ${sum.lost} lost in ${count(sum.cases)} outputs, ${unnoticed} broken checkers unnoticed`,
    ok: sum.madeUp + sum.lost + unnoticed === 0 && sum.cases >= fewest,
    size: `${count(sum.cases)} outputs`,
  };
}

async function proveAgreement({ say, onEnd }: Tools) {
  const home = await mkdtemp(join(tmpdir(), "svc-judge-"));
  onEnd(() => rm(home, { recursive: true, force: true }));
  const addsKeys = "rehearsal-adds-keys";
  const model = await startLanguageModel({
    faults: [{ kind: "unknown_question", model: addsKeys }],
  });
  onEnd(() => model.close());
  const processes = new AbortController();
  onEnd(() => processes.abort());
  const score = (root: string, name: string): Promise<Scored> =>
    runScore(root, { url: model.baseUrl, name }, { home, signal: processes.signal });

  const own = await score(ROOT, "rehearsal");
  const answers = model.requests().recent;
  const unscripted = answers.filter(({ by }) => by === "rules").length;
  say(`as it is: ${describe(own)} in ${answers.length} answers, ${unscripted} without a script`);

  const sound: Scored[] = [own];
  const all = Object.entries(defects);
  const waiting = all.values();
  let caught = 0;
  // One copy for many defects: what is not spoilt stays compiled.
  const lanes = Array.from({ length: availableParallelism() }, async (_, number) => {
    const root = join(home, `copy-${number}`);
    const withDefect = await copyServer(root);
    const scored = await score(root, addsKeys);
    sound.push(scored);
    say(`a copy, with a model that answers more than it is asked: ${describe(scored)}`);
    for (const [name, changes] of waiting) {
      const spoilt = await withDefect(changes, () => score(root, addsKeys));
      if (isCaught(spoilt)) caught += 1;
      say(`${name}: ${describe(spoilt)}`);
    }
  });
  await Promise.all(lanes);

  const { agreed = 0, compared = 0, fixtures = 0 } = own.score ?? {};
  return {
    figure: `${agreed} of ${compared} agree, ${caught} of ${all.length} defects caught`,
    ok: sound.every(isWhole) && unscripted === 0 && caught === all.length,
    size: `${fixtures} conversations, ${all.length} defects`,
  };
}

async function proveShut({ sized, say, progress, timeLeftMs, onEnd }: Tools) {
  const rehearsal = await startLanguageModel({ faults: [{ kind: "gullible" }] });
  onEnd(() => rehearsal.close());
  const model = recordedModel(rehearsal.baseUrl);
  const judge = async (talk: Conversation, recordLanguage: string) => {
    const models = { first: model, fallback: undefined };
    const signal = AbortSignal.timeout(10_000);
    return (await judgeConversation(models, { ...RUBRIC, recordLanguage }, talk, { signal }))
      .checked;
  };

  const all = RECORD_LANGUAGES.flatMap((language) =>
    Object.keys(TALKS).flatMap((place) => ORDERS.map((order) => ({ order, place, language }))),
  );
  // Taken evenly from the list, whose neighbours are the same order in other languages.
  const every = Math.floor(all.length / sized({ quick: 60, full: all.length }));
  const chosen = all.filter((_, index) => index % every === 0);
  const sum = { tried: 0, letOut: 0, won: 0, controlOut: 0, controlWon: 0 };
  for (const { order, place, language } of chosen) {
    if (timeLeftMs() === 0) break;
    const { summary = "", evaluation } = await judge(TALKS[place]!(order), language);
    const published = JSON.stringify([summary, evaluation]);
    const raw = model.lastAnswer();
    const out = canariesIn(published);
    const isWon = evaluation.qualification?.status === "qualified";
    sum.tried += 1;
    if (out.length > 0) sum.letOut += 1;
    if (isWon) sum.won += 1;
    if (canariesIn(raw).length > 0) sum.controlOut += 1;
    if (claimsQualified(raw)) sum.controlWon += 1;
    if (out.length > 0 || isWon)
      say(`${place}, "${order}": ${out.join(", ") || "qualified"} in ${published.slice(0, 400)}`);
    progress(sum.tried, chosen.length, "orders");
  }

  const honest = (await judge(QUALIFIED_TALK, "en")).evaluation.qualification?.status;
  say(`an honest talk beside them: ${honest}`);
  const { persona, instructions } = CANARIES;
  const config = { ...plainConfig("Linden"), persona, instructions };
  const inRubric = canariesIn(JSON.stringify(rubricOf({ config, knowledge: [] })));
  say(`persona and instructions in what a judge is given: ${inRubric.length}`);
  const toldByOrders = canariesIn(ORDERS.join(" "));
  return {
    figure: `${sum.letOut} let out and ${sum.won} verdicts won by ${sum.tried} orders; without the check ${sum.controlOut} and ${sum.controlWon}`,
    ok:
      sum.letOut + sum.won + inRubric.length + toldByOrders.length === 0 &&
      honest === "qualified" &&
      sum.controlOut > 0 &&
      sum.controlWon > 0,
    size: `${sum.tried} orders`,
  };
}

function claimsQualified(raw: string): boolean {
  const { qualification } = JSON.parse(raw) as {
    qualification?: { items: { qualified: { verdict: string } } };
  };
  return qualification?.items.qualified.verdict === "met";
}

/** The product's own client of a model, and what the model said last: the control without any check. */
function recordedModel(url: string): LanguageModel & { lastAnswer(): string } {
  const model = createLanguageModel({
    url,
    key: undefined,
    name: "gullible",
    timeoutMs: 5_000,
    price: { input: 0, output: 0 },
    clock: systemClock,
  });
  let last = "";
  return {
    ...model,
    ask: async (request) => {
      const answer = await model.ask(request);
      if (request.name !== "claims") last = answer.text;
      return answer;
    },
    lastAnswer: () => last,
  };
}
