import { hear } from "../hearing/hear.ts";
import type { Heard } from "../hearing/hear.ts";
import type { ConversationScripts, Sayings } from "../scripts/conversation-scripts.ts";
import type { Talk } from "../talk.ts";
import { Voice } from "./voice.ts";

/** One turn of the agent's, while it is thought of. */
export interface Turn {
  talk: Talk;
  /** What the visitor's turn before it was. */
  heard: Heard;
  scripts: ConversationScripts;
  /** In the language of the talk. */
  says: Sayings;
  voice: Voice;
}

export function turnIn(talk: Talk, scripts: ConversationScripts): Turn {
  return {
    talk,
    heard: hear(talk, scripts.hears),
    scripts,
    says: scripts.says(talk.language),
    voice: new Voice(talk),
  };
}
