import type { CallWords } from "@svc/contract/types";
import { element, icon, iconButton } from "../kit.ts";
import { ICONS } from "./icons.ts";
import type { Voice } from "./voice.ts";

/** What a visitor who talks has at hand: mute, their own level, the way to text. */
export interface VoiceBar {
  element: HTMLElement;
  /** Where the keyboard starts. */
  mute: HTMLElement;
  /** After it the state is read. */
  meter: HTMLElement;
  /** Which microphone: an arrow beside mute. */
  choice: HTMLElement;
  /** The voice has changed. */
  draw(): void;
}

export function voiceBar(voice: Voice, strings: CallWords): VoiceBar {
  const mute = iconButton(strings.mute, ICONS.microphone, () => voice.setMuted(!voice.isMuted));
  const meter = element(
    "span",
    { className: "meter", "aria-hidden": "true" },
    ...Array.from({ length: 5 }, () => element("i")),
  );
  const choice = element("span");
  const write = iconButton(strings.write, ICONS.keyboard, () => voice.stop());
  const bar = element("div", { className: "voice" }, mute, choice, meter, write);
  return {
    element: bar,
    mute,
    meter,
    choice,
    draw() {
      bar.hidden = voice.state === "off";
      if (bar.hidden) choice.replaceChildren();
      mute.setAttribute("aria-pressed", String(voice.isMuted));
      mute.replaceChildren(icon(ICONS.microphone + (voice.isMuted ? ICONS.off : "")));
    },
  };
}
