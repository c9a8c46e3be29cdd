import { fixture } from "./fixture.ts";

/** What Svc sends to customers. */
export function webhooks(): object {
  const [full] = fixture<SignedWebhooks>("signed-webhooks.json").signed;
  return {
    "session.evaluated": {
      post: {
        operationId: "sessionEvaluated",
        tags: ["webhook"],
        summary: "A session's evaluation was written",
        description:
          "Sent every time an evaluation is written, re-evaluations of the same session included: handle it idempotently by `data.id`. " +
          "Test sessions and failed evaluations are never sent.",
        security: [],
        parameters: [
          {
            name: "X-Webhook-Signature",
            in: "header",
            required: true,
            description:
              "The HMAC-SHA256 of the raw body, in lower-case hex, keyed with the UTF-8 bytes of the whole webhook secret. " +
              "Compute it over the bytes that arrived, before they are parsed.",
            schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
            example: full.signature,
          },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/SessionEvaluatedEvent" },
              example: JSON.parse(full.body) as unknown,
            },
          },
        },
        responses: {
          "2XX": { description: "Taken. The status must arrive within 10 seconds." },
          default: {
            description: "Sent again about 30 seconds later, up to 3 attempts in all.",
          },
        },
      },
    },
  };
}

interface SignedWebhooks {
  signed: [{ body: string; signature: string }];
}
