import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { waitUntil } from "../browsers/wait-until.ts";
import type { Claim } from "../runner/proof.ts";
import { LONG_QUESTION, waysOf } from "./livekit-world.ts";
import type { LivekitWorld } from "./livekit-world.ts";

/** A turn of the visitor's is on the screen by then. */
const HEARD_WITHIN_MS = 3_000;
/** Longer than a browser keeps a silent socket. */
const AWAY_MS = 4_000;
const BACK_WITHIN_MS = 30_000;
/** The agent says something to somebody who is silent for so long. */
const SPOKEN_TO_WITHIN_MS = 60_000;

export const mutedIsSilent: Claim<LivekitWorld> = {
  promise: "Over LiveKit, nobody hears a visitor who is muted, also in a room that is joined later",
  bound: "0 turns while muted in two rooms, and one as soon as they are not",
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ say, onEnd }, { call, network, product }) {
    const { pcm: clip } = await speak(LONG_QUESTION);
    await network.filter([]);
    const { place, visitor, sessionId } = await call(onEnd);
    const { database } = product.stage;
    const roomsJoined = async (): Promise<number> =>
      (await waysOf(database, sessionId)).filter(({ over }) => over === "livekit").length;
    const turns = async (): Promise<number> =>
      (await place.call.texts("li.user:not(.partial)")).length;
    await visitor.listen();
    // Its answer is the first thing that goes over the room, and so the visitor is heard there.
    await visitor.say(clip);
    await visitor.listen();
    const before = await turns();
    const turnsOnceSpoken = async (): Promise<number> => {
      await place.headset.say(clip);
      await delay(HEARD_WITHIN_MS);
      return (await turns()) - before;
    };
    await place.call.click("button", "Mute");
    const inFirst = await turnsOnceSpoken();
    await network.filter(["drop"], ["drop"]);
    await delay(AWAY_MS);
    await network.filter([]);
    const isBack = await waitUntil(async () => (await roomsJoined()) > 1, BACK_WITHIN_MS, 250);
    // Until the agent has spoken in it, the visitor is heard over the socket.
    await place.headset.untilLoud(SPOKEN_TO_WITHIN_MS);
    const inSecond = await turnsOnceSpoken();
    await place.call.click("button", "Mute");
    const after = await turnsOnceSpoken();
    say(`muted: ${inFirst} turns, in the next room ${inSecond}; not muted: ${after}`);
    await place.browser.close();
    return {
      figure: `${inFirst + inSecond} turns while muted`,
      ok: isBack && inFirst + inSecond === 0 && after === 1,
    };
  },
};
