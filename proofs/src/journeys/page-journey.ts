import { speak } from "@svc/rehearsal";
import { HeadsetVisitor } from "../browser-voice/talking-browser.ts";
import type { TalkingBrowser } from "../browser-voice/talking-browser.ts";
import { eventsOf, openTalkingSite, sessionOf } from "../browser-voice/talking-site.ts";
import type { TalkingSite } from "../browser-voice/talking-site.ts";
import { openBrowser } from "../browsers/browser.ts";
import type { Engine } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import { TALKS, talkInText } from "../talk/talks.ts";
import type { Talk, VoiceTalk } from "../talk/talks.ts";
import { clipsOf, playTalk } from "../voice/caller.ts";
import type { Played } from "../voice/caller.ts";
import { BY_RECOGNISER, compareWords } from "../voice/judge-transcript.ts";
import type { Expected } from "./api-journey.ts";

/** A way into a typed demo on a customer's page. */
export interface PageJourney {
  entry: "button" | "widget" | "hero";
  /** It asks for the address beforehand. */
  hasForm?: true;
  engine: Engine;
}

/** A journey up to the end of the call. */
export interface Walked {
  faults: string[];
  expected: Expected;
  version: string;
}

const CTA = { button: "#start", widget: ".box .cta", hero: ".svc-hero-cta" };
/** The shortest way to the email card. */
const TALK: Talk = {
  ...TALKS[0]!,
  asks: ["Please send me something by email.", "Yes, by email please."],
};

export async function walkPage(
  onEnd: (clean: () => unknown) => void,
  product: WholeProduct,
  { entry, hasForm, engine }: PageJourney,
): Promise<Walked> {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  const browser = await openBrowser(engine);
  onEnd(() => browser.close());
  const page = await browser.newPage();
  const call = inCall(page);
  const site = await openTalkingSite(onEnd, product, { metadata: { visitor: "late", seats: 12 } });
  await site.enter(page);
  await page.run(openEntry, entry, hasForm ?? false);
  if (hasForm) {
    await call.click("input[type=email]");
    await page.type("nobody");
    await call.click(CTA[entry]);
    await call.see("[role=alert]", "An address has an @.");
    await call.click("input[type=email]");
    await page.type("@example.com");
  }
  await call.click(CTA[entry]);
  await call.see("p", "You talk with an AI");
  const early = await product.stage.database.pool.query(
    "SELECT 1 FROM sessions WHERE starts_with(page, $1)",
    [site.url],
  );
  check(early.rowCount === 0, "a session exists before the notice was accepted");
  await call.click("button", "Start by typing");
  await call.see("li.assistant");

  if (entry === "button") {
    await call.see(".replies button");
    const [reply = ""] = await call.texts(".replies button");
    await call.untilAnswered(() => call.click(".replies button"));
    await call.see("li.user", reply);
    await call.see(".stage h3");
    await talkInText(
      {
        ask: (text) => call.ask(text),
        lastHeard: async () => (await call.texts("li.assistant .said")).at(-1) ?? "",
        hasCard: async () => (await call.texts("form.card")).length > 0,
      },
      TALK,
    );
    await call.click("form.card input");
    await page.type(TALK.email);
    await call.untilAnswered(() => page.press("Enter"));
    await call.see("li.note", TALK.email);
  } else await call.ask("We sell garden tools.");

  const seen = await call.texts("li.user .said, li.assistant .said");
  await leave(call, entry === "button" ? TALK.email : "");
  const events = (await eventsOf(page)).map(([name]) => name).join();
  if (entry === "button") check(events === "open,started,email,ended,closed", `events ${events}`);
  const errors = page.said().filter((line) => line.startsWith("error"));
  check(errors.length === 0, errors.join(" | "));
  const sessionId = await sessionOf(page);
  await page.close();
  const address = hasForm ? "nobody@example.com" : "page@example.com";
  return {
    faults,
    version: browser.version,
    expected: {
      sessionId,
      email: entry === "button" ? TALK.email : address,
      // Only the button hands over metadata of its own, over what the page has set.
      metadata:
        entry === "button"
          ? { plan: "trial", visitor: "late", seats: "12" }
          : { plan: "trial", visitor: "early" },
      language: "en",
      seen,
    },
  };
}

async function leave(call: InCall, thanksFor: string): Promise<void> {
  await call.end();
  await call.see("h2", "Thank you");
  await call.see(".lead", thanksFor);
  await call.click(".rating button", "5 of 5");
  await call.click("button", "Close");
  await call.gone("dialog");
}

/** Runs in the page. */
function openEntry(entry: PageJourney["entry"], hasForm: boolean): void {
  Svc.setMetadata({
    plan: "trial",
    visitor: "early",
    ...(entry !== "button" && { email: "page@example.com" }),
  });
  const form = hasForm && {
    collectData: {
      dataKey: "email",
      validator: (value: string) => value.includes("@") || "An address has an @.",
    },
  };
  if (entry === "hero") Svc.hero.mount(document.getElementById("place")!, { ...form });
  if (entry !== "widget") return;
  Svc.widget.configure({ ...form });
  Svc.widget.show();
}

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
  const clips = await clipsOf(talk);
  const visitor = new HeadsetVisitor(place);
  await site.enter(page);
  await call.click("#start");
  await call.see("p", "You talk with an AI");
  await call.click("dialog button", "Talk");
  const seen = await playTalk(visitor, clips, talk.email);
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
  await call.end();
  await call.see("h2", "Thank you");
  await sessionOf(page);
  await place.browser.close();
  return faults;
}

function isLike(text: string, words: string[]): boolean {
  const { share } = compareWords(BY_RECOGNISER.wordsOf(text), words);
  return share >= BY_RECOGNISER.leastAgreement;
}
