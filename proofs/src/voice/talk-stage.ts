import { startSpeech } from "@svc/rehearsal";
import type { RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { changeAccount, createLiveWorld, speechAt, VoiceVisitor } from "@svc/server/testing";
import type { ServerProcess, TestDatabase, VoiceVisitorOptions } from "@svc/server/testing";
import { openStage } from "../stage/stage.ts";
import { startScriptedModel } from "./scripted-model.ts";
import type { ScriptedModel } from "./scripted-model.ts";

type OnEnd = (clean: () => unknown) => void;

/** A database, an agent in four languages, and a model whose every answer is known beforehand. */
export interface TalkStage {
  database: TestDatabase;
  model: ScriptedModel;
  /** Starts a process of the service with a stand-in for speech of its own. Both end with the claim. */
  serve(
    onEnd: OnEnd,
    speech: SpeechOptions,
    settings?: Record<string, string>,
  ): Promise<TalkServer>;
}

export interface TalkServer {
  server: ServerProcess;
  speech: RehearsalSpeech;
  agentId: string;
  /** Starts a session by voice, without a browser. Its visitor has heard the greeting. */
  enter(language?: string): Promise<VoiceVisitor>;
  /** The same, at its first moment. */
  join(options?: VoiceVisitorOptions & { language?: string }): Promise<VoiceVisitor>;
}

export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

export async function openTalkStage(
  onStageEnd: OnEnd,
  greeting = "Hello, this is an AI guide.",
): Promise<TalkStage> {
  const stage = await openStage();
  onStageEnd(() => stage.close());
  const { database } = stage;
  const model = await startScriptedModel();
  onStageEnd(() => model.close());
  const world = await createLiveWorld(database, {
    modes: ["voice", "text"],
    languages: LANGUAGES.map((code) => ({ code, greeting })),
  });
  await changeAccount(database.db, world.customer, {
    limits: {
      starts_per_minute_per_address: "none",
      at_once_per_address: "none",
      at_once_per_agent: "none",
    },
  });
  return {
    database,
    model,
    async serve(onEnd, options, settings = {}) {
      const speech = await startSpeech(options);
      onEnd(() => speech.close());
      const server = await stage.startServer({
        SVC_ROLE: "live",
        SVC_MODEL_URL: model.baseUrl,
        SVC_EVALUATION_MODEL: "scripted",
        SVC_SHUTDOWN_SECS: "1",
        ...speechAt(speech.url),
        ...settings,
      });
      onEnd(() => server.stop());
      const url = `${server.url.replace("http", "ws")}/sdk/v1/live`;
      const join: TalkServer["join"] = async ({ language = "en", ...visitorOptions } = {}) => {
        const visit = await world.visit("voice");
        await database.pool.query("UPDATE sessions SET language = $2 WHERE id = $1", [
          visit.id,
          language,
        ]);
        const visitor = await VoiceVisitor.join(url, visit, visitorOptions);
        onEnd(() => visitor.close());
        if (visitor.welcome.mode !== "voice") throw new Error("the session is in text");
        return visitor;
      };
      return {
        server,
        speech,
        agentId: world.customer.agent.agentId,
        join,
        async enter(language = "en") {
          const visitor = await join({ language });
          await visitor.browser.first("caption", ({ final }) => final);
          return visitor;
        },
      };
    },
  };
}

/** What is stored as said by the agent, in order. */
export async function agentTurns(
  { pool }: TestDatabase,
  sessionId: string,
): Promise<{ content: string; interrupted: boolean }[]> {
  const { rows } = await pool.query<{ content: string; interrupted: boolean }>(
    "SELECT content, interrupted FROM turns WHERE session_id = $1 AND role = 'assistant' ORDER BY seq",
    [sessionId],
  );
  return rows;
}
