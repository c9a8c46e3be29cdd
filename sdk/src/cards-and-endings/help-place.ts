import type * as HelpChunk from "../microphone-help/index.ts";
import type { HelpOptions } from "../microphone-help/index.ts";
import type { LaterWords } from "../call/call-options.ts";
import { element } from "../kit.ts";

/** Where a visitor who wants to talk reads why they cannot. */
export interface HelpPlace {
  element: HTMLElement;
  /** The voice has changed. */
  draw(): void;
  /** The visitor types, and needs the room: one line is enough from now on. */
  shorten(): void;
}

export interface HelpPlaceOptions extends Omit<HelpOptions, "words"> {
  load: () => Promise<[typeof HelpChunk, LaterWords]>;
  /** Says it in one sentence, where the words themselves cannot be loaded. */
  say: (text: string) => void;
}

export function helpPlace(options: HelpPlaceOptions): HelpPlace {
  const { voice, strings } = options;
  const place = element("div", { "aria-live": "polite" });
  let drawn: string | undefined;
  return {
    element: place,
    shorten: () => place.classList.add("brief"),
    draw() {
      if (drawn === voice.trouble) return;
      drawn = voice.trouble;
      place.replaceChildren();
      if (drawn === undefined) return;
      options
        .load()
        .then(([{ showHelp }, { microphone }]) =>
          showHelp(place, { ...options, words: microphone }),
        )
        .catch(() => options.say(strings.voice_gone));
    },
  };
}
