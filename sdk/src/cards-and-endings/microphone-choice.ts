import { element } from "../kit.ts";
import type { Sound } from "../sound/index.ts";
import { offerRoom } from "./offer-room.ts";

/** A menu of the microphones. Hidden where there is only one. It comes after the agent's first words, and so does the room. */
export function microphoneChoice(sound: Sound, name: string): HTMLElement {
  offerRoom(sound);
  const choice = element("select", {
    "aria-label": name,
    hidden: true,
    onchange: () => {
      const wanted = choice.value;
      sound.useDevice(wanted).then(() => (chosen = wanted), list);
    },
  });
  /** Empty until the visitor chooses one: then the browser decides. */
  let chosen = "";

  async function list(): Promise<void> {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const microphones = devices.filter(({ kind }) => kind === "audioinput");
    choice.replaceChildren(
      ...microphones.map(({ deviceId, label }) =>
        element("option", { value: deviceId, selected: deviceId === chosen }, label),
      ),
    );
    choice.hidden = microphones.length < 2;
  }

  function onDevices(): void {
    if (choice.isConnected) void list();
    else navigator.mediaDevices.removeEventListener("devicechange", onDevices);
  }
  navigator.mediaDevices.addEventListener("devicechange", onDevices);
  void list();
  return choice;
}
