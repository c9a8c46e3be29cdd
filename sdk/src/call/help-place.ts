import type { HelpOptions } from "../microphone-help/index.ts";
import { element } from "../kit.ts";
import { loadChunk } from "./load-chunk.ts";

/** Where a visitor who wants to talk reads why they cannot. */
export interface HelpPlace {
  element: HTMLElement;
  /** The voice has changed. */
  draw(): void;
}

/** @param say says it in one sentence, where the words themselves cannot be loaded. */
export function helpPlace(options: HelpOptions, say: (text: string) => void): HelpPlace {
  const { voice, strings } = options;
  const place = element("div", { "aria-live": "polite" });
  let drawn: string | undefined;
  return {
    element: place,
    draw() {
      if (drawn === voice.trouble) return;
      drawn = voice.trouble;
      place.replaceChildren();
      if (drawn === undefined) return;
      loadChunk("microphone-help")
        .then(({ showHelp }) => showHelp(place, options))
        .catch(() => say(strings.voiceGone));
    },
  };
}
