import { speak } from "@svc/rehearsal";
import { askInText } from "./browser-voice/ask-in-text.ts";
import { HeadsetVisitor } from "./browser-voice/headset-visitor.ts";
import { openTalkingBrowser } from "./browser-voice/talking-browser.ts";
import type { TalkingBrowser } from "./browser-voice/talking-browser.ts";
import { eventsOf, openTalkingSite, sessionOf } from "./browser-voice/talking-site.ts";
import type { TalkingSite } from "./browser-voice/talking-site.ts";
import { awaitExported, awaitWebhook } from "./product/await-webhook.ts";
import { defineProof } from "./runner/proof.ts";
import { compareWords } from "./voice/compare-words.ts";
import { judgeSound, judgeTranscript } from "./voice/judge-transcript.ts";
import type { TalkRecord } from "./voice/judge-transcript.ts";
import { withOneSentenceMore, withWholeAnswer } from "./voice/plant-words.ts";
import { BY_RECOGNISER } from "./voice/read-sound.ts";
import { addVoiceProcess, openVoiceProduct } from "./voice/voice-product.ts";
import type { VoiceProduct } from "./voice/voice-product.ts";
import { ENGLISH, linesOf } from "./voice/voice-talks.ts";

/** One visitor asks what the other one does not. */
const { question: _question, ...TALK } = ENGLISH;
/** Of several words, so that one that the recogniser mistakes is not half of it. */
const QUESTION = "Can you tell me whether it runs in the cloud?";
const MODELS = { ears: "model", voice: "model" } as const;
/** So much of an answer is heard before the visitor cuts in. */
const CUT_AFTER_MS = 2_000;

// V8
export default defineProof({
  covers: [],
  claims: {
    "talk-from-click-to-webhook": {
      promise:
        "From a click on a customer's page a visitor talks with the agent, and the signed webhook and the export hold what was heard",
      bound: "0 faults in Chromium and Firefox, planted words are noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const [product, chromium, firefox] = await Promise.all([
          openVoiceProduct(onEnd, MODELS),
          openTalkingBrowser(onEnd),
          openTalkingBrowser(onEnd, "firefox"),
        ]);
        // A process of its own: what the product's voice is asked for is what the second visitor is told.
        const other = await addVoiceProcess(onEnd, product, MODELS);
        // One after the other: two browsers and two conversations on two cores starve a microphone.
        const found = await talkThenType(await openTalkingSite(onEnd, other), firefox);
        const talk = await talkToTheEnd(product, await openTalkingSite(onEnd, product), chromium);
        const { record, faults } = await judgeTalk(product, talk);
        say(`${chromium.browser.version}: ${faults.length === 0 ? "whole" : faults.join("; ")}`);
        say(
          `${firefox.browser.version}: ${found.length === 0 ? "heard, then typed" : found.join("; ")}`,
        );
        faults.push(...found);
        const planted = [withWholeAnswer(record), withOneSentenceMore(record)];
        const noticed = planted.filter((one) => judgeSound(one).length > 0).length;
        say(
          `control: noticed ${noticed} of ${planted.length} transcripts with words that nobody heard`,
        );

        const engines = [chromium.browser.version, firefox.browser.version];
        return {
          figure: `${faults.length} faults in ${record.transcript.length} spoken turns, ${noticed} of ${planted.length} planted words noticed`,
          ok: faults.length === 0 && noticed === planted.length,
          engines,
        };
      },
    },
  },
});

/** A talk as the visitor and the page know it. */
interface PlayedTalk {
  sessionId: string;
  played: HeadsetVisitor["played"];
  /** The turns on the screen before the goodbye. */
  seen: string[];
  generated: string;
  faults: string[];
}

/** A question whose answer is cut, a slide, the card and a goodbye. */
async function talkToTheEnd(
  { stage, speech }: VoiceProduct,
  site: TalkingSite,
  place: TalkingBrowser,
): Promise<PlayedTalk> {
  const { page, call } = place;
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const clips = await Promise.all(linesOf(TALK).map((line) => speak(line)));
  const [question, asksForEmail, goodbye] = clips.map(({ pcm }) => pcm);

  const visitor = new HeadsetVisitor(place);
  await site.enter(page);
  await call.click("#start");
  await call.see("p", "You talk with an AI");
  const early = await stage.database.pool.query(
    "SELECT 1 FROM sessions WHERE starts_with(page, $1)",
    [site.url],
  );
  check(early.rowCount === 0, "a session exists before the notice was accepted");
  await call.click("dialog button", "Talk");
  await visitor.listen();
  await visitor.say(question!);
  await visitor.listenFor(CUT_AFTER_MS);
  await visitor.say(asksForEmail!);
  await visitor.listen();
  await call.see(".stage h3");
  await call.click("form.card input");
  await visitor.act(async () => {
    await page.type(TALK.email);
    await page.press("Enter");
    await call.see("li.note", TALK.email);
  });
  await visitor.listen();
  const seen = await call.texts("li.user .said, li.assistant .said");
  await visitor.say(goodbye!);
  await call.see("h2", "Thank you", 30_000);
  visitor.end();
  await call.click("button", "Close");
  await call.gone("dialog");

  const sessionId = await sessionOf(page);
  const events = (await eventsOf(page)).map(([name]) => name).join();
  check(events === "open,started,email,ended,closed", `events ${events}`);
  const errors = page.said().filter((line) => line.startsWith("error"));
  check(errors.length === 0, errors.join(" | "));
  await place.browser.close();
  const asked = speech.requests().recent.filter(({ what }) => what === "asked");
  const generated = asked.map(({ text = "" }) => text).join(" ");
  return { sessionId, played: visitor.played, seen, generated, faults };
}

/** What the customer gets of it, against what was heard and seen. */
async function judgeTalk(
  product: VoiceProduct,
  { sessionId, played, seen, generated, faults }: PlayedTalk,
): Promise<{ record: TalkRecord; faults: string[] }> {
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const [{ data }, heard] = await Promise.all([
    awaitWebhook(product, sessionId),
    Promise.all(
      played.map(async ({ pcm, isCut }) => ({ words: await BY_RECOGNISER.wordsIn(pcm), isCut })),
    ),
  ]);
  const exported = await awaitExported(product, sessionId);
  const { transcript = [] } = data;
  const record: TalkRecord = {
    talk: TALK,
    transcript,
    played: heard,
    generated,
    reader: BY_RECOGNISER,
  };
  faults.push(...judgeTranscript(record));
  const written = transcript.map(({ content, interrupted }) =>
    interrupted ? `${content} —` : content,
  );
  check(
    JSON.stringify(seen) === JSON.stringify(written.slice(0, seen.length)),
    `on the screen: ${seen.join(" | ")}`,
  );
  check(JSON.stringify(data) === JSON.stringify(exported), "webhook and export differ");
  check(data.status === "processed", `status ${data.status}`);
  check(data.email === TALK.email, `email ${data.email}`);
  check(data.evaluation !== undefined, "no evaluation");
  return { record, faults };
}

/** A question by voice; then in text, from the middle of its answer and without another sound. */
async function talkThenType(site: TalkingSite, place: TalkingBrowser): Promise<string[]> {
  const { page, call, headset } = place;
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const visitor = new HeadsetVisitor(place);
  const { pcm } = await speak(QUESTION);
  await site.enter(page);
  await call.click("#start");
  await call.click("dialog button", "Talk");
  await visitor.listen();
  await visitor.say(pcm);
  await visitor.listenFor(500);
  await call.click(".voice button", "Type");
  await call.see("[data-voice=off]");
  const [greeting = "", understood = ""] = await call.texts("li.user .said, li.assistant .said");
  const played = await BY_RECOGNISER.wordsIn(visitor.played[0]!.pcm);
  check(isLike(greeting, played), `"${greeting}" was played as "${played.join(" ")}"`);
  check(
    isLike(QUESTION, BY_RECOGNISER.wordsOf(understood)),
    `"${QUESTION}" was heard as "${understood}"`,
  );

  const pieces = headset.heard.length;
  await askInText(call, TALK.cutQuestion);
  const isAloud = headset.heard.slice(pieces).some(({ isLoud }) => isLoud);
  check(!isAloud, "a typed question was answered aloud");
  await call.click("button.end");
  await call.see("h2", "Thank you");
  await sessionOf(page);
  await place.browser.close();
  return faults;
}

function isLike(text: string, words: string[]): boolean {
  const { share } = compareWords(BY_RECOGNISER.wordsOf(text), words);
  return share >= BY_RECOGNISER.leastAgreement;
}
