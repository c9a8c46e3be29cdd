import { startSpeech } from "@svc/rehearsal";
import type { RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { createLiveWorld, speechAt, VoiceVisitor } from "@svc/server/testing";
import { openStage } from "../stage/stage.ts";
import { startScriptedModel } from "./scripted-model.ts";
import type { ScriptedModel, ScriptedModelOptions } from "./scripted-model.ts";

/** A database, an agent in four languages, and a model whose every answer is known beforehand. */
export interface TalkStage {
  model: ScriptedModel;
  /** Starts a `live` process that hears and speaks by a stand-in of its own. */
  serve(speech: SpeechOptions, settings?: Record<string, string>): Promise<Talks>;
  /** What the operator's log says of one kind. */
  events(sessionId: string, kind: string): Promise<Record<string, unknown>[]>;
  /** What is stored as said by the agent. */
  agentTurns(sessionId: string): Promise<string[]>;
}

export interface Talks {
  speech: RehearsalSpeech;
  /** Somebody who talks in that language, and has heard the greeting. */
  enter(language?: string): Promise<VoiceVisitor>;
}

export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

export async function openTalkStage(
  onEnd: (clean: () => unknown) => void,
  options: ScriptedModelOptions,
): Promise<TalkStage> {
  const stage = await openStage();
  onEnd(() => stage.close());
  const { pool } = stage.database;
  const model = await startScriptedModel(options);
  onEnd(() => model.close());
  const world = await createLiveWorld(stage.database, {
    modes: ["voice", "text"],
    languages: LANGUAGES.map((code) => ({ code, greeting: "Hello." })),
  });

  async function enter(url: string, language: string): Promise<VoiceVisitor> {
    const visit = await world.visit("voice");
    await pool.query("UPDATE sessions SET language = $2 WHERE id = $1", [visit.id, language]);
    const visitor = await VoiceVisitor.join(url, visit);
    onEnd(() => visitor.close());
    if (visitor.welcome.mode !== "voice") throw new Error("the session is in text");
    await visitor.browser.first("caption", ({ final }) => final);
    return visitor;
  }

  return {
    model,
    async serve(speechOptions, settings = {}) {
      const speech = await startSpeech(speechOptions);
      onEnd(() => speech.close());
      const server = await stage.startServer({
        SVC_ROLE: "live",
        SVC_MODEL_URL: model.baseUrl,
        SVC_EVALUATION_MODEL: "scripted",
        SVC_SHUTDOWN_SECS: "1",
        ...speechAt(speech.url),
        ...settings,
      });
      const url = `${server.url.replace("http", "ws")}/sdk/v1/live`;
      return { speech, enter: (language = "en") => enter(url, language) };
    },
    async events(sessionId, kind) {
      const { rows } = await pool.query<{ detail: Record<string, unknown> }>(
        "SELECT detail FROM session_events WHERE session_id = $1 AND kind = $2 ORDER BY seq",
        [sessionId, kind],
      );
      return rows.map(({ detail }) => detail);
    },
    async agentTurns(sessionId) {
      const { rows } = await pool.query<{ content: string }>(
        "SELECT content FROM turns WHERE session_id = $1 AND role = 'assistant' ORDER BY seq",
        [sessionId],
      );
      return rows.map(({ content }) => content);
    },
  };
}
