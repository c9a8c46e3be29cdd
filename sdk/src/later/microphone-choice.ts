import { element } from "../core/element.ts";
import type { Sound } from "../sound/index.ts";
import { laterWords } from "./later-words.ts";

/** Which microphone is listened to. Not to be seen where there is only one. */
export function microphoneChoice(
  sound: Pick<Sound, "devices" | "useDevice">,
  language: string,
): HTMLElement {
  const choice = element("select", {
    "aria-label": laterWords(language).microphone,
    hidden: true,
    onchange: () => {
      const wanted = choice.value;
      sound.useDevice(wanted).then(() => (chosen = wanted), list);
    },
  });
  /** Until the visitor chooses, the browser does. */
  let chosen = "";

  async function list(): Promise<void> {
    const devices = await sound.devices();
    choice.replaceChildren(
      ...devices.map(({ id, label }) =>
        element("option", { value: id, selected: id === chosen }, label),
      ),
    );
    choice.hidden = devices.length < 2;
  }

  function onDevices(): void {
    if (choice.isConnected) void list();
    else navigator.mediaDevices.removeEventListener("devicechange", onDevices);
  }
  navigator.mediaDevices.addEventListener("devicechange", onDevices);
  void list();
  return choice;
}
