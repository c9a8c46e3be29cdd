import type { Speech } from "#conversation";
import { createMetrics } from "#platform";
import { createLiveWorld, LiveBrowser, sessionRow, VoiceVisitor } from "#testing";
import type { TestDatabase, VoiceVisitorOptions } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, onTestFinished, vi } from "vitest";
import type { LiveOptions } from "./live.ts";
import { ScriptedConversation, startLiveUnderTest } from "./live-under-test.ts";

const SPEECH = { answers: true } as Speech;

/** The live adapter with speech, and visitors who talk. */
async function withVoice(database: TestDatabase, options: Partial<LiveOptions> = {}) {
  const world = await createLiveWorld(database);
  const live = await startLiveUnderTest(world, { speech: SPEECH, ...options });
  const enter = async (manners: VoiceVisitorOptions = {}) => {
    const visitor = await VoiceVisitor.enter(world, live.url, manners);
    onTestFinished(() => visitor.close());
    return { visitor, conversation: live.conversations.at(-1)! };
  };
  const enterInText = async () => {
    const { browser } = await world.enter(live.url);
    return { browser, conversation: live.conversations.at(-1)! };
  };
  return { url: live.url, enter, enterInText };
}

const sound = (ms: number, rate = 24): Int16Array =>
  Int16Array.from({ length: ms * rate }, (_, index) => 1_000 + (index % 20_000));

async function eventKinds({ pool }: TestDatabase, id: string): Promise<string[]> {
  const { rows } = await pool.query<{ kind: string }>(
    "SELECT kind FROM session_events WHERE session_id = $1 ORDER BY seq",
    [id],
  );
  return rows.map(({ kind }) => kind);
}

function lastPosition({ sounds }: ScriptedConversation): number {
  return Number(sounds.at(-1)?.split(" ")[1]);
}

databaseTest("they talk: each hears the other, sample by sample", async ({ database }) => {
  const metrics = createMetrics();
  const { enter } = await withVoice(database, { metrics });
  const { visitor, conversation } = await enter();
  expect(visitor.welcome.mode).toBe("voice");

  const said = visitor.say(sound(200, 16));
  await conversation.speak(sound(1_500));
  await said;
  expect(conversation.sounds).toEqual(["started", "finished 1500"]);
  expect(conversation.voicedSamples).toBe(3_200);
  expect(visitor.heard).toHaveLength(1);
  expect(Buffer.from(visitor.heard[0]!.pcm.buffer)).toEqual(Buffer.from(sound(1_500).buffer));

  conversation.listener.event("timings", { turn: "t", end_of_turn_ms: 300, first_audio_ms: 800 });
  const text = await metrics.metrics();
  expect(text).toContain('svc_live_voice_total{what="begun"} 1');
  expect(text).toContain('svc_live_stage_seconds_count{stage="first_audio"} 1');
  await visitor.leave();
});

// L12
databaseTest(
  "without speech the session goes in text, and takes no sound",
  async ({ database }) => {
    const { enter } = await withVoice(database, {
      speech: { ...SPEECH, answers: false },
    });
    const { visitor, conversation } = await enter();
    expect(visitor.welcome.mode).toBe("text");
    expect(conversation.asked.voice).toBeUndefined();
    visitor.browser.raw(Buffer.alloc(1_024));
    expect(await visitor.browser.closed()).toBe(1003);
    await vi.waitFor(async () =>
      expect(await eventKinds(database, visitor.id)).toContain("voice_away"),
    );
  },
);

// L11
databaseTest(
  "when speech is gone they go on in text, and nobody is sent away",
  async ({ database }) => {
    const { enter, url } = await withVoice(database);
    const { visitor, conversation } = await enter();
    conversation.listener.voiceLost();
    expect(await visitor.browser.first("mode")).toMatchObject({ mode: "text" });
    await visitor.say(sound(200, 16));
    visitor.browser.send({ type: "text", text: "Then I type" });
    await vi.waitFor(() => expect(conversation.calls).toContain("hear Then I type"));
    visitor.vanish();
    await visitor.comeBack(url);
    expect(visitor.welcome.mode).toBe("text");
  },
);

// V1, K2
databaseTest("a visitor who vanishes has heard no more than they said", async ({ database }) => {
  const { enter } = await withVoice(database, { times: { returnWithinMs: 200 } });
  const { visitor, conversation } = await enter();
  const speaking = conversation.speak(sound(5_000));
  await vi.waitFor(() => expect(visitor.heard[0]?.playedMs).toBeGreaterThan(600));
  visitor.vanish();
  await speaking;
  const { playedMs } = visitor.heard[0]!;
  expect(lastPosition(conversation)).toBeLessThanOrEqual(playedMs);
  expect(lastPosition(conversation)).toBeGreaterThan(playedMs - 350);
  await vi.waitFor(async () =>
    expect(await sessionRow(database, visitor.id)).toMatchObject({ end_reason: "visitor_gone" }),
  );
});

// V2
databaseTest("one who is back at once says what they heard", async ({ database }) => {
  const { enter, url } = await withVoice(database, { times: { stoppedWithinMs: 10_000 } });
  const { visitor, conversation } = await enter({ loses: () => true });
  const speaking = conversation.speak(sound(5_000));
  await vi.waitFor(() => expect(visitor.heard[0]?.playedMs).toBeGreaterThan(300));
  visitor.vanish();
  await visitor.comeBack(url);
  await speaking;
  expect(lastPosition(conversation)).toBe(visitor.heard[0]!.playedMs);
  expect(conversation.calls).toEqual(["begin", "interrupt", "pick up"]);
});

// V4
databaseTest(
  "another page gets nothing of a sentence that it cannot place",
  async ({ database }) => {
    const { enter, url } = await withVoice(database);
    const { visitor, conversation } = await enter();
    const speaking = conversation.speak(sound(5_000));
    await vi.waitFor(() => expect(visitor.heard[0]?.playedMs).toBeGreaterThan(300));
    const page = await LiveBrowser.open(url);
    const frames: Buffer[] = [];
    page.socket.on("message", (data, isBinary) => {
      if (isBinary) frames.push(data as Buffer);
    });
    await page.hello(visitor.id, { resume_token: visitor.welcome.resume_token });
    await speaking;
    expect(conversation.calls).toEqual(["begin", "interrupt", "pick up"]);
    expect(frames).toEqual([]);
    expect(await visitor.browser.closed()).toBe(4001);
  },
);

databaseTest("the end waits for where the sound stopped", async ({ database }) => {
  const { enter } = await withVoice(database);
  const { visitor, conversation } = await enter();
  void conversation.speak(sound(5_000));
  await vi.waitFor(() => expect(visitor.heard[0]?.playedMs).toBeGreaterThan(300));
  await visitor.leave();
  expect(visitor.heard[0]).toMatchObject({ end: "cleared" });
  expect(lastPosition(conversation)).toBe(visitor.heard[0]!.playedMs);
});

databaseTest("silence: asked, asked again, left; speaking is none", async ({ database }) => {
  const { enter } = await withVoice(database, { times: { nudgeMs: 200, nudgedEndMs: 400 } });
  const { visitor, conversation } = await enter();
  const nudges = (): number => conversation.calls.filter((call) => call === "nudge").length;
  conversation.listener.visitorSpeaks(true);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(nudges()).toBe(0);
  conversation.listener.visitorSpeaks(false);
  await vi.waitFor(() => expect(nudges()).toBe(1));
  // A sound from the agent, and what the browser says of it, is no sign of the visitor.
  await conversation.speak(sound(60));
  expect(await visitor.browser.first("ended")).toMatchObject({ reason: "silence" });
  expect(nudges()).toBe(2);
});

databaseTest("who has yet to hear the greeting is not asked", async ({ database }) => {
  const held = Promise.withResolvers<void>();
  const conversations: ScriptedConversation[] = [];
  const { enter } = await withVoice(database, {
    times: { nudgeMs: 200 },
    startConversation: async (asked) => {
      const conversation = new ScriptedConversation(asked);
      conversation.begin = async () => {
        await held.promise;
        conversation.calls.push("greeted");
      };
      conversations.push(conversation);
      return conversation;
    },
  });
  await enter();
  await new Promise((resolve) => setTimeout(resolve, 700));
  held.resolve();
  await vi.waitFor(() => expect(conversations[0]!.calls).toContain("nudge"));
  expect(conversations[0]!.calls[0]).toBe("greeted");
});

databaseTest("a page that was reloaded is before the visitor again", async ({ database }) => {
  const { enter, url } = await withVoice(database, { times: { nudgeMs: 200 } });
  const { visitor, conversation } = await enter();
  visitor.browser.send({ type: "visibility", visible: false });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(conversation.calls).not.toContain("nudge");
  const page = await LiveBrowser.open(url);
  await page.hello(visitor.id, { resume_token: visitor.welcome.resume_token });
  await vi.waitFor(() => expect(conversation.calls).toContain("nudge"));
});

// S14
databaseTest("half a sample closes the socket, and the call goes on", async ({ database }) => {
  const { enter, url } = await withVoice(database);
  const { visitor, conversation } = await enter();
  visitor.browser.raw(Buffer.alloc(1_023));
  expect(await visitor.browser.closed()).toBe(4000);
  await visitor.comeBack(url);
  visitor.browser.send({ type: "mute", muted: true });
  await visitor.say(sound(100, 16));
  visitor.browser.send({ type: "mute", muted: false });
  await visitor.say(sound(100, 16));
  await vi.waitFor(() => expect(conversation.voicedSamples).toBe(1_600));
});

// S14, V3
databaseTest("a stall's worth of sound is heard at once, a flood is not", async ({ database }) => {
  const { enter } = await withVoice(database);
  const { visitor, conversation } = await enter();
  const second = Buffer.from(sound(1_000, 16).buffer);
  for (let secs = 0; secs < 15; secs++) visitor.browser.raw(second);
  await vi.waitFor(() => expect(conversation.voicedSamples).toBeGreaterThan(239_000));
  for (let secs = 0; secs < 15; secs++) visitor.browser.raw(second);
  expect(await visitor.browser.closed()).toBe(4005);
});

databaseTest("a visitor changes to text and back, in the same call", async ({ database }) => {
  const { enter } = await withVoice(database);
  const { visitor, conversation } = await enter();
  visitor.browser.send({ type: "switch", mode: "text" });
  expect(await visitor.browser.first("mode")).toMatchObject({ mode: "text" });
  // What the microphone has sent meanwhile closes nothing.
  await visitor.say(sound(200, 16));
  visitor.browser.send({ type: "switch", mode: "voice" });
  await vi.waitFor(() =>
    expect(conversation.calls.slice(1)).toEqual(["text", "pick up", "voice", "pick up"]),
  );
  const speaking = conversation.speak(sound(100));
  await speaking;
  expect(conversation.sounds.at(-1)).toBe("finished 100");
});

databaseTest("who began in text may talk, where that can be had", async ({ database }) => {
  const { enterInText } = await withVoice(database);
  const { browser, conversation } = await enterInText();
  browser.send({ type: "switch", mode: "voice" });
  expect(await browser.first("mode")).toMatchObject({ mode: "voice" });
  await vi.waitFor(() => expect(conversation.calls).toContain("voice"));
});
