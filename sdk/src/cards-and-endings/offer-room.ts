import type { LiveAudioRoom } from "@svc/contract/types";
import type * as LivekitChunk from "../livekit/rooms-for.ts";
import type { Sound } from "../sound/index.ts";

/** The hash in the file's name, written in by the build. */
declare const LIVEKIT_HASH: string;

/** Asks the server for a room, and joins those that it names. Nothing is loaded where it has none. */
export function offerRoom(sound: Sound): void {
  const { take } = sound;
  let joining: Promise<(room: LiveAudioRoom) => void> | undefined;
  sound.take = (message) => {
    if (message.type !== "audio_room") return take(message);
    joining ??= import(/* @vite-ignore */ `./livekit.${LIVEKIT_HASH}.js`).then(
      ({ roomsFor }: typeof LivekitChunk) => roomsFor(sound),
    );
    joining.then(
      (join) => join(message),
      () => {
        joining = undefined;
        sound.onPlayback({ type: "room", state: "left", room: message.room });
      },
    );
  };
  sound.onPlayback({ type: "room", state: "wanted" });
}
