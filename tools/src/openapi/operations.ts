import { readFileSync } from "node:fs";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session } from "@svc/contract/types";

/** The webhooks that Svc sends to customers. */
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

/** A golden fixture of the contract, so that every example in the OpenAPI file is one that is tested. */
function fixture<T>(path: string): T {
  const file = new URL(`../../../contract/fixtures/${path}`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

/** The query parameters of both exports. */
export const parameters: Record<string, object> = {
  since: {
    name: "since",
    in: "query",
    description:
      "Unix timestamp in whole seconds. Only sessions created after it are returned. To read on, send the `created_at` of " +
      "the last item as the next `since` and drop the ids that you have already, or follow `Link`, which repeats none.",
    schema: {
      type: "integer",
      format: "int64",
      minimum: -(2n ** 63n),
      maximum: 2n ** 63n - 1n,
      default: 0,
    },
    example: 1772442900,
  },
  limit: {
    name: "limit",
    in: "query",
    description: "The maximum number of sessions to return. A value above 100 counts as 100.",
    schema: { type: "integer", minimum: 1, default: 100 },
    example: 50,
  },
  fields: {
    name: "fields",
    in: "query",
    description:
      `Comma-separated names of the fields to return. Available: ${SESSION_FIELDS.map((field) => `\`${field}\``).join(", ")}. ` +
      "CSV columns follow the order given here. Unknown names are ignored. Absent or empty means all fields, in the order of this list.",
    schema: { type: "string" },
    example: "id,created_at,status,email",
  },
  cursor: {
    name: "cursor",
    in: "query",
    description: "Opaque: only ever taken from a `Link` header. It replaces `since`.",
    schema: {
      type: "string",
      pattern: "^[0-9]{1,14}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    },
    example: "1772442900124.019cadd4-569c-7d3a-9f52-3c1b6a0e4d01",
  },
};

/** The paths that clients call. */
export function paths(): object {
  return {
    "/v1/sessions.json": { get: listSessions() },
    "/v1/sessions.csv": { get: downloadSessions() },
  };
}

function listSessions(): object {
  const full = fixture<Session>("sessions/full.json");
  const minimal = fixture<Session>("sessions/minimal.json");
  return {
    operationId: "listSessions",
    tags: ["export"],
    summary: "Sessions as JSON",
    description: whichSessions,
    parameters: parameterRefs,
    responses: {
      "200": {
        description: "A page of sessions. It has no items when there is nothing new yet.",
        headers: pageHeaders,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/SessionList" },
            examples: {
              all: { summary: "All fields", value: { items: [full, minimal] } },
              selected: {
                summary: "fields=id,email",
                value: { items: [{ id: full.id, email: full.email }, { id: minimal.id }] },
              },
              nothing: { summary: "Nothing new", value: { items: [] } },
            },
          },
        },
      },
      ...errors,
    },
  };
}

function downloadSessions(): object {
  return {
    operationId: "downloadSessions",
    tags: ["export"],
    summary: "Sessions as CSV",
    description: `${whichSessions}\n\n${howCsvIsWritten}`,
    parameters: parameterRefs,
    responses: {
      "200": {
        description: "A header row, then one row per session with the selected fields.",
        headers: {
          ...pageHeaders,
          "Content-Disposition": {
            description: "A browser saves the file as `sessions.csv`.",
            schema: { type: "string" },
            example: 'attachment; filename="sessions.csv"',
          },
        },
        content: {
          "text/csv": {
            schema: { type: "string" },
            examples: {
              selected: {
                summary: "fields=email,email_verified,duration_secs",
                value:
                  'email,email_verified,duration_secs\r\n"ada.okafor@example.com",true,184\r\n,,0\r\n',
              },
            },
          },
        },
      },
      ...errors,
    },
  };
}

const parameterRefs: object[] = Object.keys(parameters).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

const whichSessions: string =
  "Sessions with the status `abandoned`, `processed` or `error`, ordered by `created_at` and `id`, oldest first. " +
  "Test sessions and sessions that are still `active` are left out. A session that started after one that is still " +
  "`active` waits for it, so that a client that reads on from its last item never misses one. " +
  "An account that the operator set to `as_available` gets sessions as they finish instead, and can miss some.";

const howCsvIsWritten: string =
  "UTF-8 with CRLF line ends. Header cells are bare, text cells are quoted, numbers and booleans are bare. `metadata`, " +
  "`transcript` and `evaluation` are compact JSON. An empty cell stands for a missing value. A `summary` or `email` that " +
  "a spreadsheet would take for a formula gets one leading `'`. The file starts with a byte order mark only when a " +
  "browser opens the address as a page.";

const pageHeaders: object = {
  Link: {
    description:
      'The address of the next page, with `rel="next"`, whenever this page holds at least one session.',
    schema: { type: "string" },
    example:
      '<https://svc.example.com/v1/sessions.json?limit=50&cursor=1772442900124.019cadd4-569c-7d3a-9f52-3c1b6a0e4d01>; rel="next"',
  },
  "Svc-Complete-Through": {
    description:
      "Every session that started up to this time, counted from where the request began, is settled and can be read.",
    schema: { type: "string", format: "date-time" },
    example: "2026-03-02T09:34:09.111Z",
  },
  "Svc-Held": {
    description:
      "How many settled sessions wait behind `Svc-Complete-Through` for an older one to be settled, counted up to 10,000.",
    schema: { type: "integer", minimum: 0 },
    example: 0,
  },
};

const errors: object = {
  "400": { $ref: "#/components/responses/BadRequest" },
  "401": { $ref: "#/components/responses/Unauthorized" },
  "429": { $ref: "#/components/responses/TooManyRequests" },
  "431": { $ref: "#/components/responses/RequestTooLarge" },
  "503": { $ref: "#/components/responses/Unavailable" },
};
