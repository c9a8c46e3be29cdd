import { createLog, systemClock } from "#platform";
import { ModelAway } from "#models";
import type { ModelUsage } from "#models";
import { speak, startSpeech } from "#testing";
import type { RehearsalSpeech, SpeechOptions } from "#testing";
import type { stt } from "@livekit/agents";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConversationOptions, ConversationVoice } from "../conversation.ts";
import { ChatModels } from "../model/chat-models.ts";
import { finish, modelUnderTest, text } from "../model/model-under-test.ts";
import { createSpeech } from "../speech/create-speech.ts";
import { conversationUnderTest, fails, says, searches, thinks } from "./conversation-under-test.ts";
import type { ScriptedReply } from "./conversation-under-test.ts";
import { MediaUnderTest } from "./media-under-test.ts";

type Talk = Awaited<ReturnType<typeof conversationUnderTest>> & {
  media: MediaUnderTest;
  voice: ConversationVoice;
  standIn: RehearsalSpeech;
  /** Nobody hears the visitor any more. */
  loseHearing: () => void;
};

async function talkUnderTest(
  script: Parameters<typeof conversationUnderTest>[0],
  {
    playing = 1,
    signOfLifeMs = 60_000,
    models,
    history = [],
    ...options
  }: SpeechOptions &
    Pick<ConversationOptions, "history"> & {
      playing?: number;
      signOfLifeMs?: number;
      models?: ChatModels;
    } = {},
): Promise<Talk> {
  const standIn = await startSpeech({ speed: 20, ...options });
  const media = new MediaUnderTest(playing);
  const place = { url: standIn.url, key: "key", model: undefined };
  const speech = createSpeech({
    hearing: { first: { ...place, provider: "deepgram" }, fallback: undefined },
    voice: { first: { ...place, provider: "cartesia", voice: undefined }, fallback: undefined },
    prices: { minuteHeard: 6_000, thousandCharactersSpoken: 0 },
    clock: systemClock,
    log: createLog("silent"),
  });
  let hearing: stt.STT;
  const voice = {
    media,
    speech: {
      ...speech,
      hearing: (language: string) => (hearing = speech.hearing(language, undefined)),
    },
  };
  const loseHearing = (): void => {
    const error = new Error("nobody is left");
    hearing.emit("error", {
      type: "stt_error",
      timestamp: 0,
      label: "",
      error,
      recoverable: true,
    });
  };
  const talk = await conversationUnderTest(script, {
    voice,
    signOfLifeMs,
    history,
    ...(models && { models }),
  });
  onTestFinished(async () => {
    media.close();
    await talk.conversation.close();
    await standIn.close();
  });
  return { ...talk, media, voice, standIn, loseHearing };
}

const GREETING =
  "Hello, I'm Linden, an AI guide. I'll gladly show you Svc. What would you like to see?";
const GONE = "Sorry, I was gone for a moment.";
const LONG = [
  "This is the first of several sentences.",
  "Here is the second one of them.",
  "And with the third it is over.",
];

const until = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 8_000, interval: 20 });

/** The agent has begun to say something long. */
async function interruptible({ conversation, media }: Talk): Promise<void> {
  void conversation.hear("Tell me all.");
  await until(() => expect(media.asked).toContain("start"));
}

async function visitorSays(talk: Talk, heard: string, spoken = heard): Promise<void> {
  talk.standIn.hears([heard]);
  await talk.media.say((await speak(spoken)).pcm);
}

describe("a conversation by voice", { timeout: 20_000 }, () => {
  it("remembers what it says once it was heard", async () => {
    const talk = await talkUnderTest([], { playing: 10 });
    await talk.conversation.begin();
    expect(talk.log.lines).toEqual([`assistant: ${GREETING}`]);
    expect(talk.media.asked).toEqual(["start", "flush"]);
    expect(talk.log.of("partial").length).toBeGreaterThan(3);
  });

  it("hears, answers, and tells how long each stage took", async () => {
    const talk = await talkUnderTest([says("It costs little.")], { playing: 10 });
    await visitorSays(talk, "What does it cost?");
    await until(() => expect(talk.log.of("timings")).toHaveLength(1));
    expect(talk.log.lines).toEqual(["user: What does it cost?", "assistant: It costs little."]);
    expect(talk.log.of("visitorSpeaks")).toEqual([true, false]);
    const [timings] = talk.log.of("timings") as Record<string, number>[];
    const { transcript_ms, end_of_turn_ms, first_audio_ms, playback_ms } = timings!;
    expect(transcript_ms).toBeLessThanOrEqual(end_of_turn_ms!);
    expect(end_of_turn_ms).toBeLessThanOrEqual(first_audio_ms!);
    expect(first_audio_ms).toBeLessThanOrEqual(playback_ms!);
    expect(talk.log.of("reply")).toMatchObject([{ answer_ms: playback_ms }]);
  });

  describe("times the end of a turn by the sound", () => {
    const PARTS = ["I run a boatyard", "with forty boats."];
    const WHOLE = PARTS.join(" ");

    /** Both parts without the quiet around them, with a pause between them that the recogniser hears as `heard`. */
    async function visitorPauses(
      talk: Talk,
      pauseMs: number,
      heard: string[],
      stall?: { forMs: number; isOfProcess: boolean },
    ): Promise<void> {
      const isVoiced = (sample: number): boolean => Math.abs(sample) > 300;
      const [first, second] = await Promise.all(
        PARTS.map(async (part) => {
          const { pcm } = await speak(part);
          return pcm.subarray(pcm.findIndex(isVoiced), pcm.findLastIndex(isVoiced));
        }),
      );
      talk.standIn.hears(heard);
      const said = [...first!, ...new Int16Array(pauseMs * 16), ...second!];
      const atMs = first!.length / 16 + pauseMs / 2;
      await talk.media.say(Int16Array.from(said), stall && { ...stall, atMs });
    }

    it.each([
      ["the network", 300, false],
      ["the network", 1_000, false],
      ["the process", 300, true],
      ["the process", 1_000, true],
    ])("and not by a stall of %s for %i ms", async (_, forMs, isOfProcess) => {
      const talk = await talkUnderTest([says("Good.")], { playing: 10 });
      await visitorPauses(talk, 160, [WHOLE], { forMs, isOfProcess });
      await until(() => expect(talk.log.lines.at(-1)).toBe("assistant: Good."));
      expect(talk.log.lines).toEqual([`user: ${WHOLE}`, "assistant: Good."]);
      expect(talk.log.of("visitorSpeaks")).toEqual([true, false]);
    });

    it("that was quiet for long enough", async () => {
      const talk = await talkUnderTest([says("Good."), says("Many.")], { playing: 10 });
      await visitorPauses(talk, 800, PARTS);
      await until(() => expect(talk.log.lines.at(-1)).toBe("assistant: Many."));
      expect(talk.log.lines.filter((line) => line.startsWith("user"))).toEqual(
        PARTS.map((part) => `user: ${part}`),
      );
    });
  });

  const ANSWER = ["It costs little.", "It is signed."];
  const HELD = "It costs 4711 euros.";
  const MOMENT = "One moment, please.";
  it.each<[string, ScriptedReply[], string[]]>([
    ["", [thinks(1_000, says(...ANSWER))], [`${MOMENT} ${ANSWER.join(" ")}`]],
    [
      ", and its first sentence is held",
      [thinks(1_000, says(HELD)), says(...ANSWER)],
      [`${MOMENT} ${ANSWER.join(" ")}`],
    ],
    [
      " again, behind a first sentence that is held though its sound was made",
      [says(HELD), thinks(1_000, says(...ANSWER))],
      [`${MOMENT} ${ANSWER.join(" ")}`],
    ],
    [
      ", and then searches",
      [thinks(1_000, searches("price")), says(...ANSWER)],
      [MOMENT, ANSWER.join(" ")],
    ],
  ])(
    "says nothing twice, out of order or not at all while the model thinks%s",
    async (_, script, turns) => {
      const talk = await talkUnderTest(script, { playing: 10, signOfLifeMs: 100 });
      await talk.conversation.hear("What does it cost?");
      expect(talk.log.lines.slice(1)).toEqual(turns.map((turn) => `assistant: ${turn}`));
      for (const heard of talk.log.of("partial") as string[])
        expect(turns.some((turn) => turn.startsWith(heard))).toBe(true);
      expect(talk.media.asked).toEqual(turns.flatMap(() => ["start", "flush"]));
    },
  );

  it.each([60, 90, 100, 110, 140])(
    "says each once where the answer comes about when the sign of life is due: %i ms",
    async (ms) => {
      const script = [thinks(ms, says(...ANSWER))];
      const talk = await talkUnderTest(script, { playing: 10, signOfLifeMs: 100 });
      await talk.conversation.hear("What does it cost?");
      const whole = `assistant: ${ANSWER.join(" ")}`;
      expect([whole, whole.replace(": ", `: ${MOMENT} `)]).toContain(talk.log.lines.at(-1));
      expect(talk.log.turns).toHaveLength(2);
    },
  );

  it("loses nothing in twelve seconds, with the default settings of a reasoning preset", async () => {
    const { url } = await modelUnderTest([12_000, text(ANSWER.join(" ")), finish()]);
    const price = { input: 0, output: 0 };
    const place = { url, key: undefined, name: "m", timeoutMs: 60_000, price };
    const first = { ...place, preset: "openai-reasoning" as const };
    const models = new ChatModels({ first, fallback: place, clock: systemClock });
    const talk = await talkUnderTest([], { playing: 5, models });
    const heard = talk.conversation.hear("What does it cost?");
    await until(() => expect(talk.log.of("partial").at(-1)).toBe(MOMENT));
    expect(talk.log.states.at(-1)).toBe("thinking");
    await heard;
    expect(talk.log.lines.slice(1)).toEqual([`assistant: ${MOMENT} ${ANSWER.join(" ")}`]);
    const states = ["thinking", "speaking", "thinking", "speaking", "listening"];
    expect(talk.log.states).toEqual(states);
    expect(talk.log.of("model_failed")).toEqual([]);
  }, 40_000);

  it("plays nothing of a first sentence that is held, though its sound was made", async () => {
    const talk = await talkUnderTest(
      [
        says("It costs 4711 euros.", "And so on."),
        says("A person will tell you the price.", "It is signed."),
      ],
      { playing: 10 },
    );
    await talk.conversation.hear("What does it cost?");
    expect(talk.log.lines.slice(1)).toEqual([
      "assistant: A person will tell you the price. It is signed.",
    ]);
    expect(talk.log.of("partial").join(" ")).not.toContain("4711");
    expect(talk.media.asked).toEqual(["start", "flush"]);
  });

  it("shows nothing of a first sentence that is held, though its voice is lost", async () => {
    const talk: Talk = await talkUnderTest([
      (request) => {
        talk.loseHearing();
        return says("It costs 4711 euros.")(request);
      },
      says("A person will tell you the price."),
    ]);
    await talk.conversation.hear("What does it cost?");
    expect(talk.log.lines.slice(1)).toEqual(["assistant: A person will tell you the price."]);
  });

  it("is cut by words, and remembers only what was heard", async () => {
    const talk = await talkUnderTest([says(...LONG), says("Yes?")]);
    await interruptible(talk);
    await visitorSays(talk, "Stop, please wait.");
    await until(() => expect(talk.log.lines.at(-1)).toBe("assistant: Yes?"));
    const [, cut, said] = talk.log.lines;
    expect(said).toBe("user: Stop, please wait.");
    expect(cut).toMatch(/^assistant: This is.*…$/);
    expect(LONG.join(" ")).toContain(cut!.slice("assistant: ".length, -1));
    // Held at the first sound of the visitor, and never heard again.
    expect(talk.media.asked.slice(1)).toEqual(["flush", "pause", "clear", "start", "flush"]);
    const [greeting] = talk.log.of("reply") as Record<string, number>[];
    expect(greeting!["silent_ms"]).toBeGreaterThan(100);
    expect(greeting!["silent_ms"]).toBeLessThan(5_000);
    expect(talk.requests[1]!.messages.at(-2)).toMatchObject({
      role: "assistant",
      content: cut!.slice("assistant: ".length, -1),
    });
  });

  it("does not begin again before words that come late", async () => {
    const faults = [{ kind: "late_finals", afterMs: 700 } as const];
    const talk = await talkUnderTest([says(...LONG), says("Yes?")], { faults });
    await interruptible(talk);
    await visitorSays(talk, "Stop, please wait.");
    await until(() => expect(talk.log.lines.at(-1)).toBe("assistant: Yes?"));
    expect(talk.media.asked.slice(1)).toEqual(["flush", "pause", "clear", "start", "flush"]);
  });

  it("goes on when a visitor only listens", async () => {
    const talk = await talkUnderTest([says(...LONG)]);
    await interruptible(talk);
    await visitorSays(talk, "Mhm, okay.", "yeah all right then");
    await until(() => expect(talk.log.lines).toHaveLength(2));
    expect(talk.log.lines.at(-1)).toBe(`assistant: ${LONG.join(" ")}`);
    expect(talk.media.asked.slice(2)).toEqual(["pause", "resume"]);
  });

  it("goes on when there are words but no voice, as of a faint echo", async () => {
    const talk = await talkUnderTest([says(...LONG)]);
    await interruptible(talk);
    talk.standIn.hears(["Stop, please wait."]);
    await talk.media.say(Int16Array.from({ length: 4_000 }, (_, at) => 1_500 * Math.sin(at / 25)));
    await until(() => expect(talk.log.lines).toHaveLength(2));
    expect(talk.standIn.requests().recent.map(({ what }) => what)).toContain("heard");
    expect(talk.log.lines.at(-1)).toBe(`assistant: ${LONG.join(" ")}`);
    expect(talk.media.asked).toEqual(["start", "flush"]);
  });

  it("is cut by what is typed, too", async () => {
    const talk = await talkUnderTest([says(...LONG), says("Sure.")]);
    await interruptible(talk);
    await until(() => expect(talk.log.of("partial").at(-1)).toMatch(/^This is/));
    await talk.conversation.hear("Something else.");
    expect(talk.log.lines.at(-3)).toMatch(/^assistant: This is.*…$/);
    expect(talk.log.lines.slice(-2)).toEqual(["user: Something else.", "assistant: Sure."]);
    // No voice interrupted it.
    for (const reply of talk.log.of("reply")) expect(reply).not.toHaveProperty("silent_ms");
  });

  // V1
  it("keeps only what was heard by a visitor who is gone", async () => {
    const talk = await talkUnderTest([says(...LONG)]);
    await interruptible(talk);
    await until(() => expect(talk.log.of("partial").at(-1)).toMatch(/^This is the/));
    await talk.conversation.interrupt();
    expect(talk.log.lines.at(-1)).toMatch(/^assistant: This is the.*…$/);
    expect(talk.log.lines.at(-1)!.length).toBeLessThan(LONG.join(" ").length);
  });

  it("takes two turns around a tool whose outcome it needs", async () => {
    const script = [searches("price", "Let me look."), says("Then here it is.")];
    const talk = await talkUnderTest(script, { playing: 10 });
    await talk.conversation.hear("What do you have?");
    expect(talk.log.lines.slice(1)).toEqual([
      "assistant: Let me look.",
      "assistant: Then here it is.",
    ]);
  });

  // L11
  it("goes on in text when no voice is left", async () => {
    const talk = await talkUnderTest([says(...LONG), says("Still here.")], { playing: 10 });
    await talk.standIn.setFaults([{ kind: "cut_sentence" }]);
    await talk.conversation.hear("Tell me all.");
    expect(talk.log.told.filter(([kind]) => kind === "voiceLost")).toHaveLength(1);
    const said = talk.log.turns.slice(1).map(({ content }) => content);
    expect(said.join(" ")).toBe(LONG.join(" "));
    await talk.conversation.hear("Are you there?");
    expect(talk.log.lines.at(-1)).toBe("assistant: Still here.");
  });

  // L10, L12
  it("goes on in text when nobody can hear the visitor", async () => {
    const talk = await talkUnderTest([says("I read you.")], { playing: 10 });
    await talk.standIn.setFaults([{ kind: "refuse" }]);
    await visitorSays(talk, "Hello?");
    await vi.waitFor(() => expect(talk.log.of("voice_lost")).toHaveLength(1), 15_000);
    await talk.conversation.hear("Can you read this?");
    expect(talk.log.lines.at(-1)).toBe("assistant: I read you.");
  });

  // L10
  it("lets the rest be read when hearing is lost in the middle of a sentence", async () => {
    const talk = await talkUnderTest([says(...LONG)]);
    const answered = talk.conversation.hear("Tell me all.");
    await until(() => expect(talk.log.of("partial").at(-1)).toMatch(/^This is the/));
    talk.loseHearing();
    await answered;
    expect(talk.media.asked.at(-1)).toBe("clear");
    const [heard, read] = talk.log.turns.slice(1);
    expect(heard!.content.length).toBeLessThan(LONG[0]!.length);
    expect(`${heard!.content} ${read!.content}`).toBe(LONG.join(" "));
    expect([heard!.interrupted, read!.interrupted]).toEqual([false, false]);
    const told = talk.log.told.map(([kind]) => kind);
    expect(told.indexOf("voiceLost")).toBeLessThan(told.lastIndexOf("turn"));
    await talk.conversation.hear("Thanks.");
    expect(talk.requests[1]!.messages).toContainEqual({
      role: "assistant",
      content: LONG.join(" "),
    });
  });

  // L10
  it("answers in text when hearing is lost before it has said anything", async () => {
    const talk: Talk = await talkUnderTest([
      searches("price", "Let me look."),
      (request) => {
        talk.loseHearing();
        return says("It costs little.")(request);
      },
    ]);
    await talk.conversation.hear("What does it cost?");
    expect(talk.log.of("voice_lost")).toHaveLength(1);
    expect(talk.log.lines.slice(1).join(" ")).toBe(
      "assistant: Let me look. assistant: It costs little.",
    );
  });

  it("does not ask a visitor who has yet to hear something", async () => {
    const talk = await talkUnderTest([], { playing: 10 });
    const greeted = talk.conversation.begin();
    await Promise.all([greeted, talk.conversation.nudge(8)]);
    expect(talk.log.lines).toEqual([`assistant: ${GREETING}`]);
  });

  it("tells what hearing costs by the minute, and the rest at the end", async () => {
    const talk = await talkUnderTest([]);
    const costs = (): unknown[] =>
      talk.log.told.flatMap(([kind, , usage]) =>
        kind === "usage" ? (usage as ModelUsage).costMicros : [],
      );
    talk.media.hear(60);
    expect(costs()).toEqual([6_000]);
    talk.media.hear(10);
    expect(costs()).toEqual([6_000]);
    await talk.conversation.close();
    expect(costs()).toEqual([6_000, 1_000]);
  });

  it("asks a silent visitor whether they are there", async () => {
    const away = fails(new ModelAway("answered 503"));
    const talk = await talkUnderTest([says("Are you still with me?"), away], { playing: 10 });
    await talk.conversation.nudge(8);
    expect(talk.log.lines.at(-1)).toBe("assistant: Are you still with me?");
    expect(talk.requests[0]?.messages.at(-1)?.content).toContain("silent for 8 seconds");
    await talk.conversation.nudge(8);
    expect(talk.log.lines.at(-1)).toBe(
      "assistant: Take your time. I am here when you would like to go on.",
    );
  });

  it("speaks of its absence before a model answers, where another process goes on with it", async () => {
    const turn = { id: "1", role: "assistant" as const, content: "It is", at: new Date(0) };
    const talk = await talkUnderTest([thinks(1_000, says("A service.")), says("Good.")], {
      playing: 10,
      history: [{ ...turn, interrupted: true }],
    });
    const begun = talk.conversation.begin();
    await until(() => expect(talk.log.of("partial").at(-1)).toBe(GONE));
    expect(talk.log.states.at(-1)).toBe("thinking");
    await begun;
    expect(talk.log.lines).toEqual([`assistant: ${GONE} A service.`]);
    expect(talk.requests[0]?.messages.at(-1)?.content).toContain("You have said so. Take up");
    await talk.conversation.hear("Fine.");
    expect(talk.log.lines.at(-1)).toBe("assistant: Good.");
  });

  it("goes on in text and by voice again, as the visitor likes", async () => {
    const talk = await talkUnderTest([says("As text."), says("By voice.")], { playing: 10 });
    await talk.conversation.setVoice(undefined);
    await talk.conversation.hear("Let me type.");
    expect(talk.media.asked).toEqual([]);
    await talk.conversation.setVoice(talk.voice);
    await visitorSays(talk, "Let me talk.");
    await until(() => expect(talk.log.lines.at(-1)).toBe("assistant: By voice."));
    expect(talk.log.lines).toEqual([
      "user: Let me type.",
      "assistant: As text.",
      "user: Let me talk.",
      "assistant: By voice.",
    ]);
    expect(talk.media.asked).toEqual(["start", "flush"]);
  });
});
