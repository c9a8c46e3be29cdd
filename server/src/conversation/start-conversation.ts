import { AppError } from "#platform";
import type { Conversation, ConversationOptions } from "./conversation.ts";
import type * as Engine from "./engine/demo-conversation.ts";
import type * as Speech from "./speech/create-speech.ts";

/** Starts a conversation. It is silent until `begin`. */
export async function startConversation(options: ConversationOptions): Promise<Conversation> {
  const { DemoConversation } = await loadEngine();
  return DemoConversation.start(options);
}

/**
 * Loads what conversations run on: one and a half seconds and 150 MB, once. A process that takes
 * visitors does it at its start, so that the first of them does not wait.
 */
export function loadEngine(): Promise<typeof Engine> {
  return import("./engine/demo-conversation.ts");
}

/** Loads what hears and speaks, which is most of what the engine loads too. */
export async function loadSpeech(): Promise<typeof Speech> {
  // Without it every call by voice would begin, and hear nothing.
  if (!isInstalled("@livekit/local-inference")) {
    throw new AppError("conflict", {
      what: "This installation cannot talk by voice.",
      why: "It lacks the package that detects speech, which the image for text leaves out.",
      fix: "Use the image that is built with `--target voice`, or unset SVC_STT and SVC_TTS and their fallbacks.",
    });
  }
  return import("./speech/create-speech.ts");
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
