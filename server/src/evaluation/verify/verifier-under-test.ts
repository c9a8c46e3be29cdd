import * as z from "zod";
import { NO_USAGE } from "#models";
import type { LanguageModel, ModelRequest } from "#models";

/** A claim as a verifier reads it. */
export interface ReadClaim {
  n: number;
  field: string;
  kind: string;
  says: string;
  about?: string;
  quotes: { turn: number; quote: string }[];
  not_found?: string[];
}

export interface ReadDocument {
  date?: string;
  metadata: Record<string, string>;
  transcript: { turn: number; role: string; heard: string }[];
  claims: ReadClaim[];
}

const Document: z.ZodType<ReadDocument> = z.object({
  date: z.string().exactOptional(),
  metadata: z.record(z.string(), z.string()),
  transcript: z.array(z.object({ turn: z.int(), role: z.string(), heard: z.string() })),
  claims: z
    .array(
      z.object({
        n: z.int(),
        field: z.string(),
        kind: z.string(),
        says: z.string(),
        about: z.string().exactOptional(),
        quotes: z.array(z.object({ turn: z.int(), quote: z.string() })),
        not_found: z.array(z.string()).exactOptional(),
      }),
    )
    .default([]),
});

/** The one line of JSON between the fences of a request. */
export function readDocument({ messages }: Pick<ModelRequest, "messages">): ReadDocument {
  return Document.parse(JSON.parse(messages[1]!.content.split("\n").at(-2)!));
}

export interface ModelUnderTest extends LanguageModel {
  requests: ModelRequest[];
}

/** A judge that answers with objects, and a verifier whose every opinion errs as often as it is told. */
export function modelUnderTest(
  judge: (document: ReadDocument, request: ModelRequest) => unknown,
  isShown: (claim: ReadClaim, document: ReadDocument) => boolean = () => true,
  { wrongShare = 0, seed = 1 }: { wrongShare?: number; seed?: number } = {},
): ModelUnderTest {
  const requests: ModelRequest[] = [];
  let state = seed;
  // Park and Miller's generator: the same opinions in every run.
  const isWrong = (): boolean =>
    (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 < wrongShare;
  return {
    name: "under test",
    requests,
    isThere: async () => true,
    ask: async (request) => {
      requests.push({ ...request, messages: [...request.messages] });
      const document = readDocument(request);
      if (request.name !== "claims")
        return { text: JSON.stringify(judge(document, request)), usage: NO_USAGE };
      const words = document.claims.map((claim) => [
        claim.n,
        isShown(claim, document) === isWrong() ? "no" : "yes",
      ]);
      return { text: JSON.stringify(Object.fromEntries(words)), usage: NO_USAGE };
    },
  };
}
