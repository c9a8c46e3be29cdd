import type { ErrorBody, ErrorDetail } from "@svc/contract/types";

/** Answers that the operations share. */
export function responses(): object {
  return {
    BadRequest: errorResponse(
      "A query parameter has a value outside what is documented, or the request is not HTTP that this service understands.",
      {
        code: "invalid_parameter",
        message: "`limit` must be a whole number from 1 to 100. Send for example limit=100.",
        parameter: "limit",
      },
    ),
    Unauthorized: errorResponse(
      "Credentials are missing or not valid.",
      {
        code: "unauthorized",
        message:
          "Send `Authorization: Bearer <API token>`, or HTTP Basic with client id and API token.",
      },
      {
        "WWW-Authenticate": {
          description: "One challenge for Basic, so that a browser asks, and one for Bearer.",
          required: true,
          schema: { type: "string" },
          example: 'Basic realm="Svc", charset="UTF-8", Bearer realm="Svc"',
        },
      },
    ),
    TooManyRequests: errorResponse(
      "More than 100 requests a second with one token, after a burst of 1,000.",
      {
        code: "rate_limited",
        message: "Too many requests with this token. Wait for the seconds in `Retry-After`.",
      },
      retryAfter,
    ),
    RequestTooLarge: errorResponse("The address and the headers are too long.", {
      code: "invalid_request",
      message: "The address and the headers are too long. Send a shorter query.",
    }),
    Unavailable: errorResponse(
      "The service cannot answer right now. The same request may succeed later.",
      {
        code: "unavailable",
        message: "The service cannot answer right now. Wait for the seconds in `Retry-After`.",
      },
      retryAfter,
    ),
  };
}

function errorResponse(description: string, error: ErrorDetail, headers: object = {}): object {
  const example: ErrorBody = { error };
  const schema = { $ref: "#/components/schemas/ErrorBody" };
  return { description, headers, content: { "application/json": { schema, example } } };
}

const retryAfter: object = {
  "Retry-After": {
    description: "How many seconds to wait before the next request.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
};
