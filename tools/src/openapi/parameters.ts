import { SESSION_FIELDS } from "@svc/contract/session-fields";

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
    description: "The most sessions to return. A value above 100 counts as 100.",
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
