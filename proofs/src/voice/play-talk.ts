import { speak } from "@svc/rehearsal";
import { Caller } from "./caller.ts";
import type { VoiceProduct } from "./voice-product.ts";
import { linesOf } from "./voice-talks.ts";
import type { VoiceTalk } from "./voice-talks.ts";

/** So much of an answer is heard before the visitor cuts in. */
const CUT_AFTER_MS = 2_500;

/** Talks a demo through: a question, a cut, the card, and a goodbye. */
export async function playTalk(
  { server, agentId }: VoiceProduct,
  talk: Required<VoiceTalk>,
  onEnd: (clean: () => unknown) => void,
): Promise<Caller> {
  const clips = await Promise.all(linesOf(talk).map((line) => speak(line)));
  const [question, cutQuestion, asksForEmail, goodbye] = clips.map(({ pcm }) => pcm);
  const { language, metadata } = talk;
  const caller = await Caller.enter(server.url, { agentId, language, metadata });
  onEnd(() => caller.close());
  await caller.listen();
  await caller.say(question!);
  await caller.listen();
  await caller.say(cutQuestion!);
  await caller.listenFor(CUT_AFTER_MS);
  await caller.say(asksForEmail!);
  await caller.listen();
  caller.confirmEmail(talk.email);
  await caller.listen();
  await caller.say(goodbye!);
  await caller.listen();
  return caller;
}
