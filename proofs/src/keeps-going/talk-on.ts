import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { HeadsetVisitor } from "../browser-voice/headset-visitor.ts";
import { openTalkingBrowser } from "../browser-voice/talking-browser.ts";
import { openTalkingSite, sessionOf } from "../browser-voice/talking-site.ts";
import { awaitWebhook } from "../product/await-webhook.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import { addVoiceProcess } from "../voice/voice-product.ts";
import { openLine } from "./cuttable-line.ts";

const CUT_MS = 5_000;
const BACK_WITHIN_MS = 30_000;
/** So much of an answer is heard before it breaks off. */
const HEARD_MS = 700;
const QUESTIONS = [
  "What is it good for?",
  "And after five seconds without a network?",
  "And after a reload?",
] as const;

/**
 * By voice, on a line of its own: five seconds without a network and a reload, each in the middle of
 * an answer. Afterwards the agent is heard, and hears. What went wrong.
 */
export async function talkOn(
  onEnd: (clean: () => unknown) => void,
  product: WholeProduct,
  say: (line: string) => void,
): Promise<string[]> {
  try {
    const line = await openLine();
    onEnd(() => line.close());
    const voice = await addVoiceProcess(onEnd, product, {}, { SVC_PUBLIC_URL: line.url });
    line.leadTo(voice.server.url);
    const server = { ...voice.server, url: line.url };
    const site = await openTalkingSite(onEnd, { ...voice, server });
    const place = await openTalkingBrowser(onEnd);
    const { page, call, headset } = place;
    const visitor = new HeadsetVisitor(place);
    const ask = async (text: string): Promise<void> => {
      const { pcm } = await speak(text);
      await call.see("[data-voice=open]:not(.lost)", "", BACK_WITHIN_MS);
      voice.speech.hears([text]);
      await visitor.say(pcm);
      await visitor.listenFor(HEARD_MS);
    };

    await site.enter(page);
    await call.click("#start");
    await call.click("dialog button", "Talk");
    // Who talks over the agent as soon as the microphone has opened is at times not heard at all.
    await visitor.listen();
    const sessionId = await sessionOf(page);
    await ask(QUESTIONS[0]);
    line.cut("silent");
    await delay(CUT_MS);
    line.mend();
    await headset.untilLoud(BACK_WITHIN_MS);
    await ask(QUESTIONS[1]);
    say(`by voice it goes on after ${CUT_MS / 1_000} s without a network`);
    await page.reload();
    await headset.untilLoud(BACK_WITHIN_MS);
    await visitor.listen();
    await ask(QUESTIONS[2]);
    say("by voice it goes on after a reload");

    const seen = (await call.texts("li.user .said, li.assistant .said")).slice(0, -1);
    await call.click("button.end");
    const { data } = await awaitWebhook(product, sessionId);
    const written = (data.transcript ?? []).map(({ content, interrupted }) =>
      interrupted ? `${content} —` : content,
    );
    const isWhole = QUESTIONS.every((question) => written.includes(question));
    return isWhole && seen.join("\n") === written.slice(0, seen.length).join("\n")
      ? []
      : [`by voice: seen ${JSON.stringify(seen)}, written ${JSON.stringify(written)}`];
  } catch (error) {
    return [`by voice: ${String(error)}`];
  }
}
