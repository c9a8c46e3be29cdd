import type { Scenario, SearchKnowledge } from "#agents";
import type { LanguageModel } from "#models";
import { normalizeEmail } from "#sessions";
import type { Conversation, ConversationOptions } from "../conversation.ts";
import { judgeScenario } from "./judge-scenario.ts";
import type { ScenarioFailure } from "./judge-scenario.ts";
import { PersonaVisitor } from "./persona-visitor.ts";
import { Recording } from "./recording.ts";
import { ScriptedVisitor, perform } from "./visitor.ts";
import type { Visitor } from "./visitor.ts";

/** The dependencies with which scenarios are played. */
export interface RehearsalStage extends Pick<ConversationOptions, "agent" | "models" | "clock"> {
  startConversation(options: ConversationOptions): Promise<Conversation>;
  /** For knowledge that is too large for the prompt. */
  searchKnowledge: SearchKnowledge;
  /** Plays the visitors that have no script. */
  visitorModel: LanguageModel;
}

/** The result of a scenario. */
export interface PlayedScenario {
  scenario: Scenario;
  language: string;
  recording: Recording;
  /** Empty when everything was as expected. */
  failures: ScenarioFailure[];
}

/** Holds one whole conversation and compares it with what was expected of it. */
export async function playScenario(
  scenario: Scenario,
  stage: RehearsalStage,
): Promise<PlayedScenario> {
  const { agent } = stage;
  const language = scenario.language ?? agent.config.defaultLanguage;
  const recording = new Recording();
  recording.email = normalizeEmail(scenario.metadata?.["email"] ?? "");
  if (!agent.config.languages.some(({ code }) => code === language)) {
    const speaks = agent.config.languages.map(({ code }) => code).join(", ");
    const failures = [{ expected: `an agent that speaks ${language}`, got: `it speaks ${speaks}` }];
    return { scenario, language, recording, failures };
  }
  const visitor = visitorOf(scenario, language, stage.visitorModel);
  const conversation = await stage.startConversation({
    agent,
    language,
    metadata: scenario.metadata ?? {},
    mailFollows: agent.config.followUp,
    listener: recording,
    models: stage.models,
    searchKnowledge: stage.searchKnowledge,
    clock: stage.clock,
    // A script cannot object to a goodbye.
    goodbyeMs: 0,
  });
  try {
    await conversation.begin();
    while (recording.endedBy === undefined) {
      const step = await visitor.next(recording);
      if (step === undefined) break;
      await perform(step, conversation, recording);
    }
  } finally {
    await conversation.close();
  }
  const failures = judgeScenario(scenario, { recording, left: visitor.left(), agent });
  return { scenario, language, recording, failures };
}

function visitorOf({ visitor }: Scenario, language: string, model: LanguageModel): Visitor {
  return visitor.persona === undefined
    ? new ScriptedVisitor(visitor.says ?? [])
    : new PersonaVisitor(visitor.persona, language, model);
}
