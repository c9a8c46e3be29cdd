import type { AgentMode } from "@svc/contract/types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agreeOnMode } from "./agree-on-mode.ts";
import type { Voice } from "./voice.ts";

/** A visitor's side and the server's, with what is on its way between them. */
function world(mode: AgentMode) {
  const voice = {
    state: "off" as Voice["state"],
    stop(): void {
      voice.state = "off";
      modes.settle();
    },
  };
  const server = { mode, hasSpeech: true, asked: [] as AgentMode[], answers: [] as AgentMode[] };
  let gone = 0;
  const modes = agreeOnMode({
    voice,
    ask: (wanted) => void server.asked.push(wanted),
    onGone: () => void (gone += 1),
  });
  return {
    voice,
    server,
    modes,
    gone: () => gone,
    set(state: Voice["state"]) {
      voice.state = state;
      modes.settle();
    },
    serverHears() {
      const wanted = server.asked.shift();
      if (wanted === undefined) return;
      server.mode = wanted === "voice" && server.hasSpeech ? "voice" : "text";
      server.answers.push(server.mode);
    },
    visitorHears() {
      const told = server.answers.shift();
      if (told !== undefined) modes.told(told);
    },
    loseSpeech() {
      server.hasSpeech = false;
      if (server.mode === "text") return;
      server.mode = "text";
      server.answers.push("text");
    },
  };
}

test("a visitor whose microphone is there talks, and one who lets it go types", () => {
  const { modes, set, server } = world("text");
  modes.welcomed("text");
  set("opening");
  expect(server.asked).toEqual([]);
  set("open");
  expect(server.asked).toEqual(["voice"]);
  modes.told("voice");
  set("off");
  expect(server.asked).toEqual(["voice", "text"]);
});

// V6
test("a page that comes back without a microphone asks for text", () => {
  const { modes, server } = world("voice");
  modes.welcomed("voice");
  expect(server.asked).toEqual(["text"]);
});

test("voice that cannot be had is told once, and the microphone is let go", () => {
  const { modes, set, voice, gone } = world("text");
  set("open");
  modes.welcomed("text");
  expect([gone(), voice.state]).toEqual([1, "off"]);
  modes.told("text");
  expect(gone()).toBe(1);
});

test("who changes their mind twice is not told that the voice is gone", () => {
  const { modes, set, voice, gone } = world("voice");
  set("open");
  modes.welcomed("voice");
  set("off");
  set("open");
  modes.told("text");
  modes.told("voice");
  expect([gone(), voice.state]).toEqual([0, "open"]);
});

test("after a loss it is asked for again what may not have arrived", () => {
  const { modes, set, server } = world("text");
  modes.welcomed("text");
  set("open");
  modes.welcomed("text");
  expect(server.asked).toEqual(["voice", "voice"]);
});

test("whatever happens, both sides come to be of one mind", () => {
  const act = fc.constantFrom(
    "opening" as const,
    "open" as const,
    "off" as const,
    "serverHears" as const,
    "visitorHears" as const,
    "loseSpeech" as const,
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const one = world("text");
      one.modes.welcomed("text");
      for (const each of acts) {
        if (each === "opening" || each === "open" || each === "off") one.set(each);
        else one[each]();
      }
      // A microphone that was asked for is given in the end.
      if (one.voice.state === "opening") one.set("open");
      for (let i = 0; i < 100; i++) {
        one.serverHears();
        one.visitorHears();
      }
      expect(one.server.mode).toBe(one.voice.state === "off" ? "text" : "voice");
    }),
  );
});
