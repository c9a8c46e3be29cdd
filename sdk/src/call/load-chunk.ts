import type * as ContentChunk from "../content/index.ts";
import type * as HelpChunk from "../microphone-help/index.ts";
import type * as CardsChunk from "../cards-and-endings/index.ts";
import type * as PreviewChunk from "../preview/index.ts";
import type * as ResumeChunk from "../resume/resume-call.ts";
import type * as SoundChunk from "../sound/index.ts";
import type * as SourcesChunk from "../sources/index.ts";
import type * as StageChunk from "../stage/index.ts";
import { kit } from "../kit.ts";
import type { useKit } from "../kit.ts";
import type { Texts } from "./call-options.ts";

/** What a call loads when it is needed. */
export interface CallChunks {
  content: typeof ContentChunk;
  /** Why a visitor who wants to talk cannot. */
  "microphone-help": typeof HelpChunk;
  /** What is not needed before the agent's first words: controls, the field to type in, cards, the choice of a microphone, trouble, goodbye. */
  "cards-and-endings": typeof CardsChunk;
  /** What the holder of a preview link reads. */
  preview: typeof PreviewChunk;
  /** How the call of the page before is gone on with. */
  resume: typeof ResumeChunk;
  sound: typeof SoundChunk;
  /** Links to the pages that an answer comes from. */
  sources: typeof SourcesChunk;
  /** Enlarging what is on the stage, and naming it while the call is small. */
  stage: typeof StageChunk;
  /** Our texts in a built-in language. */
  [strings: `strings-${string}`]: Texts;
}

/** What stands in their files' names, written in by the build. */
declare const CALL_HASHES: Record<keyof CallChunks | "worklets", string>;
/** The build would write them in at each place that names them. */
const hashes = CALL_HASHES;

/** The texts of a language are built in where they have a chunk. */
export function isBuiltIn(strings: string): boolean {
  return strings in hashes;
}

/** They lie beside the call's own file. */
export async function loadChunk<Name extends keyof CallChunks>(
  name: Name,
): Promise<CallChunks[Name]> {
  const chunk: CallChunks[Name] & { useKit?: typeof useKit } = await import(
    /* @vite-ignore */ addressOf(name)
  );
  chunk.useKit?.(kit);
  return chunk;
}

/** While the visitor reads the notice: what talking needs is there when they choose. */
export function prepareSound(): void {
  Promise.all([loadChunk("sound"), fetch(addressOf("worklets"))]).catch(() => {});
}

function addressOf(name: keyof typeof hashes): string {
  return new URL(`${name}.${hashes[name]}.js`, import.meta.url).href;
}
