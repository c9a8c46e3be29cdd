import { findStartableAgent } from "#agents";
import { wordsOf } from "#language";
import type { Db } from "#platform";
import type { Recipients } from "#rights";
import type { FastifyInstance } from "fastify";
import { answerError } from "./answer-error.ts";
import { recipientsPage } from "./recipients-page.ts";
import { browserWords, sendPage, sendTrouble } from "./send-page.ts";

interface RecipientsRequest {
  Params: { agent: string };
  Querystring: { language?: string | string[]; version?: string | string[] };
}

/**
 * `GET /who-hears-you/{agent}`: who gets what visitors of the agent say, by the settings of the processes that run. With a
 * `version` it shows the list that was valid once, also after the agent is gone.
 */
export function addRecipientsPage(
  app: FastifyInstance,
  { db, recipients }: { db: Db; recipients: Recipients },
): void {
  void app.register(async (page) => {
    page.setErrorHandler(answerError);
    page.get<RecipientsRequest>("/who-hears-you/:agent", async (request, reply) => {
      const { language, version } = request.query;
      const agent = await findStartableAgent(db, request.params.agent);
      const shown =
        version === undefined
          ? agent && (await recipients.of(agent))
          : await recipients.version(request.params.agent, String(version));
      if (shown === undefined) {
        const trouble = agent !== undefined && version === undefined ? "away" : "dead_link";
        return sendTrouble(request, reply, trouble);
      }
      const words =
        typeof language === "string"
          ? wordsOf(agent?.config.languages ?? [], language.slice(0, 35))
          : browserWords(request);
      return sendPage(reply, words, recipientsPage(shown, words));
    });
  });
}
