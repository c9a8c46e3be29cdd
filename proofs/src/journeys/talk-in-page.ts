import { speak } from "@svc/rehearsal";
import { HeadsetVisitor } from "../browser-voice/headset-visitor.ts";
import type { TalkingBrowser } from "../browser-voice/talking-browser.ts";
import { eventsOf, sessionOf } from "../browser-voice/talking-site.ts";
import type { TalkingSite } from "../browser-voice/talking-site.ts";
import type { VoiceTalk } from "../talk/talks.ts";
import { playTalk } from "../voice/play-talk.ts";
import type { Played } from "../voice/play-talk.ts";
import { BY_RECOGNISER, compareWords } from "../voice/read-sound.ts";
import type { Walked } from "./page-journey.ts";

/** Several words, so that one that the recogniser mistakes is not half of the question. */
const QUESTION = "Can you tell me whether it runs in the cloud?";

/** A whole talk by voice, from the click to a goodbye. */
export async function talkInPage(
  site: TalkingSite,
  place: TalkingBrowser,
  talk: VoiceTalk,
): Promise<Walked & { played: Played[] }> {
  const { page, call, browser } = place;
  const faults: string[] = [];
  const visitor = new HeadsetVisitor(place);
  await site.enter(page);
  await call.click("#start");
  await call.see("p", "You talk with an AI");
  await call.click("dialog button", "Talk");
  const seen = await playTalk(visitor, talk);
  await call.click("button", "Close");
  await call.gone("dialog");
  const events = (await eventsOf(page)).map(([name]) => name).join();
  if (events !== "open,started,email,ended,closed") faults.push(`events ${events}`);
  faults.push(...page.said().filter((line) => line.startsWith("error")));
  const sessionId = await sessionOf(page);
  await browser.close();
  const expected = { sessionId, email: talk.email, metadata: {}, language: "en", seen };
  return { faults, version: browser.version, expected, played: visitor.played };
}

/** A question by voice; then in text, from the middle of its answer and without another sound. */
export async function talkThenType(
  site: TalkingSite,
  place: TalkingBrowser,
  question: string,
): Promise<string[]> {
  const { page, call, headset } = place;
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
  const faults: string[] = [];
  const [greeting = "", understood = ""] = await visitor.seen();
  const played = await BY_RECOGNISER.wordsIn(visitor.played[0]!.pcm);
  if (!isLike(greeting, played)) faults.push(`"${greeting}" was played as "${played.join(" ")}"`);
  if (!isLike(QUESTION, BY_RECOGNISER.wordsOf(understood)))
    faults.push(`"${QUESTION}" was heard as "${understood}"`);
  const pieces = headset.heard.length;
  await call.ask(question);
  if (headset.heard.slice(pieces).some(({ isLoud }) => isLoud))
    faults.push("a typed question was answered aloud");
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
