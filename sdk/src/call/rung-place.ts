import { element } from "../core/element.ts";
import type { Rung } from "../ladder/index.ts";
import type { Strings } from "../strings/strings.ts";
import type { Frame } from "./frame.ts";
import { loadChunk } from "./load-chunk.ts";
import type { Voice } from "./voice.ts";

/** Where a visitor who wants to talk reads why they cannot. */
export interface RungPlace {
  element: HTMLElement;
  /** The voice has changed. */
  draw(): void;
}

export function rungPlace({
  voice,
  frame,
  language,
  strings,
  onShown,
  onType,
  say,
}: {
  voice: Voice;
  frame: Frame;
  language: string;
  strings: Strings;
  onShown: () => void;
  onType: () => void;
  /** In one sentence, where the words themselves cannot be loaded. */
  say: (text: string) => void;
}): RungPlace {
  const place = element("div", { "aria-live": "polite" });
  let drawn: Rung | undefined;

  function show(rung: Rung): void {
    loadChunk("ladder")
      .then(({ rungCard }) => {
        if (voice.trouble !== rung) return;
        place.append(
          rungCard({
            rung,
            frame,
            language,
            strings,
            onTalk: () => voice.start(),
            onType() {
              place.replaceChildren();
              onType();
            },
          }),
        );
        onShown();
      })
      .catch(() => say(strings.voiceGone));
  }

  return {
    element: place,
    draw() {
      if (drawn === voice.trouble) return;
      drawn = voice.trouble;
      place.replaceChildren();
      if (drawn !== undefined) show(drawn);
    },
  };
}
