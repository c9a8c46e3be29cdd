import { startLivekit } from "@svc/tools/livekit";
import { keepMicrophoneRaw, openTalkingBrowser } from "./browser-voice/talking-browser.ts";
import { openTalkingSite } from "./browser-voice/talking-site.ts";
import { ENGINES, openBrowser } from "./browsers/browser.ts";
import {
  awaitDelivered,
  judgeDelivered,
  plantedNoticed,
  walkByVoice,
  walkInText,
} from "./journeys/api-journey.ts";
import type { Delivered } from "./journeys/api-journey.ts";
import { openLanguageWorld, walkInLanguage } from "./journeys/language-journey.ts";
import { talkInPage, talkThenType, walkPage } from "./journeys/page-journey.ts";
import type { PageJourney } from "./journeys/page-journey.ts";
import { carriesSound, livekitAt, waysOf } from "./livekit/livekit-world.ts";
import { openWholeProduct } from "./product/whole-product.ts";
import type { WholeProduct } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import type { Outcome, Tools } from "./runner/proof.ts";
import { ENGLISH, GERMAN, TALKS, findLeaks, linesOf } from "./talk/talks.ts";
import type { VoiceTalk } from "./talk/talks.ts";
import type { Played } from "./voice/caller.ts";
import {
  BY_RECOGNISER,
  BY_TONES,
  judgeSound,
  judgeTranscript,
  withPlantedWords,
} from "./voice/judge-transcript.ts";
import type { SoundReader, TalkRecord } from "./voice/judge-transcript.ts";
import { addVoiceProcess } from "./voice/voice-product.ts";
import type { VoiceProduct } from "./voice/voice-product.ts";

const BUTTON: PageJourney[] = ENGINES.map((engine) => ({ entry: "button", engine }));
const ENTRIES: PageJourney[] = [
  { entry: "widget", engine: "chromium" },
  { entry: "widget", hasForm: true, engine: "firefox" },
  { entry: "hero", engine: "webkit" },
  { entry: "hero", hasForm: true, engine: "chromium" },
];
const MODELS = { ears: "model", voice: "model" } as const;

/** From the visitor's first click, or the SDK's first request, to the signed webhook and both exports. */
export default defineProof<WholeProduct>({
  covers: [
    "contract/src/",
    "sdk/src/",
    "server/src/agents/",
    "server/src/api/",
    "server/src/conversation/",
    "server/src/evaluation/",
    "server/src/live/",
    "server/src/pipeline/",
    "server/src/sessions/",
    "server/src/webhooks/",
  ],
  open: ({ onEnd }) => openWholeProduct(onEnd),
  claims: {
    "from-click-to-webhook": {
      promise:
        "From a click on a customer's page to the signed webhook and the same session in JSON and CSV, in three browser engines",
      bound: "0 faults in Chromium, Firefox and WebKit",
      timeLimitSecs: { quick: 90 },
      tier: "gate",
      prove: (tools, product) =>
        walkPages(
          tools,
          product,
          tools.sized({ gate: BUTTON.slice(0, 1), quick: BUTTON, full: BUTTON }),
        ),
    },

    "hero-and-widget-to-webhook": {
      promise:
        "Widget and hero, with and without a form, lead through the whole call to the webhook",
      bound: "0 faults in four ways in",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: (tools, product) => walkPages(tools, product, ENTRIES),
    },

    "whole-talk-in-text": {
      promise:
        "A typed demo goes from its start to the signed webhook and the export, in four languages, and nothing but the dialogue is in its transcript",
      bound: "0 faults in four languages, a planted leak is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "gate",
      prove: async ({ say }, product) => {
        const walks = await Promise.all(TALKS.map((talk) => walkInText(product, talk)));
        for (const { expected, faults } of walks) say(verdict(expected.language, faults));
        const leaks = findLeaks([{ role: "assistant", content: 'show_content {"id":"x"}' }], "");
        const noticed = plantedNoticed(walks[0]!.delivered, walks[0]!.expected);
        say(
          `control: ${leaks.length} leaks in a planted turn, ${noticed} wrong deliveries noticed`,
        );
        const faults = walks.flatMap((one) => one.faults);
        return {
          figure: `${faults.length} faults in ${walks.length} languages`,
          ok: faults.length === 0 && leaks.length > 0 && noticed === "4 of 4",
        };
      },
    },

    "no-english-elsewhere": {
      promise:
        "For an Italian and a Japanese agent, made as the guide says, every text of ours is of that language: notice, call by voice and in text, refusals, mails, and the pages behind their links",
      bound: "0 texts of another language in either, a call without the words is noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async ({ say, onEnd }, product) => {
        const world = await openLanguageWorld(onEnd, product);
        const browser = await openBrowser("chromium", {
          switches: ["--use-fake-device-for-media-stream"],
        });
        onEnd(() => browser.close());
        const walks = [];
        for (const language of ["it", "ja"] as const) {
          const walk = await walkInLanguage(onEnd, world, browser, language);
          say(verdict(`${language}, ${walk.texts} texts`, walk.faults));
          say(`control: ${walk.withoutWords} noticed of a call without the words`);
          say(`control: English texts missed: ${walk.missed.join(", ") || "none"}`);
          walks.push(walk);
        }
        const faults = walks.flatMap((walk) => walk.faults);
        return {
          figure: `${faults.length} texts of another language in ${walks.reduce((sum, { texts }) => sum + texts, 0)}`,
          ok:
            faults.length === 0 &&
            walks.every(({ withoutWords, missed }) => withoutWords > 3 && missed.length === 0),
          engines: [browser.version],
        };
      },
    },

    "whole-talk-by-voice": {
      promise:
        "A spoken demo goes from its start to the signed webhook and the export, and its transcript is what the loudspeaker played",
      bound:
        "0 faults in English heard and spoken by models and in German with scripted ears, planted words are noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }, product) => {
        const english = await addVoiceProcess(onEnd, product, MODELS);
        // No recogniser of German can be installed offline: this one is told what it hears.
        const german = await addVoiceProcess(onEnd, product, { ears: "scripted", voice: "tone" });
        german.speech.hears(linesOf(GERMAN));
        const walk = async (voice: VoiceProduct, talk: VoiceTalk, reader: SoundReader) => {
          const { faults, delivered, played } = await walkByVoice(onEnd, voice, talk);
          const record = await recordOf(voice, { talk, delivered, played, reader });
          faults.push(...judgeTranscript(record));
          say(verdict(talk.language, faults));
          return { record, faults };
        };
        const talks = await Promise.all([
          walk(english, ENGLISH, BY_RECOGNISER),
          walk(german, GERMAN, BY_TONES),
        ]);
        return judgeTalks(
          talks.flatMap(({ faults }) => faults),
          talks.map(({ record }) => record),
          say,
        );
      },
    },

    // V8
    "talk-from-click-to-webhook": {
      promise:
        "From a click on a customer's page a visitor talks with the agent, and the signed webhook and the export hold what was heard",
      bound: "0 faults in Chromium and Firefox, planted words are noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async ({ say, onEnd }, product) => {
        // A process for each: what a voice is asked for is what its visitor is told.
        const [voice, other, chromium, firefox] = await Promise.all([
          addVoiceProcess(onEnd, product, MODELS),
          addVoiceProcess(onEnd, product, MODELS),
          openTalkingBrowser(onEnd),
          openTalkingBrowser(onEnd, "firefox"),
        ]);
        // One after the other: two browsers and two conversations on two cores starve a microphone.
        const typed = await talkThenType(
          await openTalkingSite(onEnd, other),
          firefox,
          ENGLISH.cutQuestion,
        );
        say(verdict(firefox.browser.version, typed));
        const site = await openTalkingSite(onEnd, voice);
        const { faults, expected, played } = await talkInPage(site, chromium, ENGLISH);
        const delivered = await awaitDelivered(product, expected.sessionId);
        const spoken = { talk: ENGLISH, delivered, played, reader: BY_RECOGNISER };
        const record = await recordOf(voice, spoken);
        faults.push(...judgeDelivered(delivered, expected), ...judgeTranscript(record));
        say(verdict(chromium.browser.version, faults));
        const engines = [chromium, firefox].map(({ browser }) => browser.version);
        return { ...judgeTalks([...faults, ...typed], [record], say), engines };
      },
    },

    // V8
    "same-call-either-way": {
      promise:
        "Over LiveKit, a talk from the click to the webhook is the same as over the socket, and holds what the page played",
      bound:
        "0 faults in Chromium, an interrupted turn ≤ 1 word off what was played, planted words are noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: async ({ say, onEnd }, product) => {
        const livekit = await startLivekit();
        onEnd(() => livekit.stop());
        const [voice, chromium] = await Promise.all([
          // A tone for each word: what was played can be counted.
          addVoiceProcess(onEnd, product, { ears: "scripted", voice: "tone" }, livekitAt(livekit)),
          openTalkingBrowser(onEnd),
        ]);
        carriesSound(livekit, voice);
        await keepMicrophoneRaw(chromium);
        voice.speech.hears(linesOf(ENGLISH));
        const site = await openTalkingSite(onEnd, voice);
        const { faults, expected, played } = await talkInPage(site, chromium, ENGLISH);
        const delivered = await awaitDelivered(product, expected.sessionId);
        const record = await recordOf(voice, {
          talk: ENGLISH,
          delivered,
          played,
          reader: BY_TONES,
        });
        faults.push(...judgeDelivered(delivered, expected), ...judgeTranscript(record));
        const moves = await waysOf(product.stage.database, expected.sessionId);
        const ways = moves.map(({ over }) => over).join(", ");
        if (ways !== "livekit") faults.push(`sound went over ${ways || "the socket"}`);
        say(verdict(chromium.browser.version, faults));
        return { ...judgeTalks(faults, [record], say), engines: [chromium.browser.version] };
      },
    },
  },
});

async function walkPages(
  { say, onEnd }: Tools,
  product: WholeProduct,
  journeys: PageJourney[],
): Promise<Outcome> {
  const versions: string[] = [];
  let noticed = "none";
  let count = 0;
  for (const journey of journeys) {
    const name = `${journey.entry}${journey.hasForm ? " with a form" : ""}, ${journey.engine}`;
    const faults = await (async () => {
      const { faults: found, expected, version } = await walkPage(onEnd, product, journey);
      versions.push(version);
      const delivered = await awaitDelivered(product, expected.sessionId);
      noticed = plantedNoticed(delivered, expected);
      return [...found, ...judgeDelivered(delivered, expected)];
    })().catch((error: unknown) => [String(error)]);
    count += faults.length;
    say(verdict(name, faults));
  }
  say(`control: ${noticed} wrong deliveries noticed`);
  return {
    figure: `${count} faults in ${journeys.length} journeys in ${[...new Set(versions)].join(", ")}`,
    ok: count === 0 && noticed === "4 of 4",
    engines: [...new Set(versions)],
  };
}

async function recordOf(
  { speech }: VoiceProduct,
  {
    talk,
    delivered,
    played,
    reader,
  }: { talk: VoiceTalk; delivered: Delivered; played: readonly Played[]; reader: SoundReader },
): Promise<TalkRecord> {
  const asked = speech.requests().recent.filter(({ what }) => what === "asked");
  return {
    talk,
    transcript: delivered.data.transcript ?? [],
    played: await Promise.all(
      played.map(async ({ pcm, isCut }) => ({ words: await reader.wordsIn(pcm), isCut })),
    ),
    generated: asked.map(({ text = "" }) => text).join(" "),
    reader,
  };
}

function judgeTalks(faults: string[], records: TalkRecord[], say: (line: string) => void): Outcome {
  const planted = records.flatMap(withPlantedWords);
  const noticed = planted.filter((record) => judgeSound(record).length > 0).length;
  say(`control: noticed ${noticed} of ${planted.length} transcripts with words that nobody heard`);
  const turns = records.reduce((sum, { transcript }) => sum + transcript.length, 0);
  return {
    figure: `${faults.length} faults in ${turns} spoken turns, ${noticed} of ${planted.length} planted words noticed`,
    ok: faults.length === 0 && noticed === planted.length,
  };
}

function verdict(name: string, faults: string[]): string {
  return `${name}: ${faults.length === 0 ? "whole" : faults.join("; ")}`;
}
