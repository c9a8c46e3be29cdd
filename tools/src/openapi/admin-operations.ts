/** One operation of the admin API, without its method and path. */
interface AdminOperation {
  id: string;
  summary: string;
  /** The least role that may call it. */
  least: "viewer" | "operator" | "admin";
  /** The name of the schema; `csv` for a file. */
  answer: string;
  body?: string;
  query?: Record<string, { description: string; schema: object }>;
}

const list = {
  account: { description: "Only of this account, by its client id.", schema: { type: "string" } },
  since: {
    description: "Only what began since then.",
    schema: { type: "string", format: "date-time" },
  },
  limit: {
    description: "How many rows at most.",
    schema: { type: "integer", minimum: 1, maximum: 1000, default: 50 },
  },
};

const found = {
  ...list,
  agent: {
    description: "Only of this agent: its id, or the name of its folder.",
    schema: { type: "string" },
  },
  status: {
    description: "Only with this status.",
    schema: { enum: ["active", "abandoned", "processed", "error"] },
  },
  qualification: {
    description: "Only with this judgement.",
    schema: { enum: ["qualified", "disqualified", "not_enough_data"] },
  },
  language: { description: "Only held in this language.", schema: { type: "string" } },
  entry: {
    description: "Only opened by this: a button of the page, the widget or the hero.",
    schema: { enum: ["modal", "widget", "hero"] },
  },
  device: {
    description: "Only held on such a device.",
    schema: { enum: ["desktop", "phone", "tablet"] },
  },
  answered: {
    description: "Only where the question with this key was answered.",
    schema: { type: "string" },
  },
  insight: {
    description: "Only where the insight with this key was found.",
    schema: { type: "string" },
  },
  delivery: {
    description: "Only where this became of the newest event.",
    schema: { enum: ["delivered", "under_way", "failed"] },
  },
  text: {
    description:
      "Only where each of these words was heard, or is part of the address or the name. A word of four letters or more finds longer ones, too. Finished sessions only; test sessions by address and name.",
    schema: { type: "string", minLength: 2, maxLength: 200 },
  },
  before: {
    description: "The `next` of the page before.",
    schema: { type: "string" },
  },
  test: {
    description: "`true` for test sessions instead of real ones.",
    schema: { enum: ["true", "false"], default: "false" },
  },
};

const OPERATIONS: Record<string, AdminOperation> = {
  "get /admin/v1/me": {
    id: "readMe",
    summary: "Who is signed in, and which accounts they see",
    least: "viewer",
    answer: "ConsoleMe",
  },
  "get /admin/v1/me/tokens": {
    id: "listMyTokens",
    summary: "The person's own tokens for the command line",
    least: "viewer",
    answer: "ConsoleTokens",
  },
  "post /admin/v1/me/tokens": {
    id: "makeMyToken",
    summary:
      "Make a token for the command line; it is shown this once and works for 30 days. Not with a token",
    least: "viewer",
    answer: "IssuedConsoleToken",
    body: "TokenOrder",
  },
  "post /admin/v1/me/tokens/{id}/revoke": {
    id: "revokeMyToken",
    summary: "Revoke one of the person's own tokens at once",
    least: "viewer",
    answer: "ConsoleToken",
  },
  "get /admin/v1/accounts": {
    id: "listAccounts",
    summary: "The accounts that the person sees",
    least: "viewer",
    answer: "ConsoleAccounts",
  },
  "get /admin/v1/accounts/{id}/tokens": {
    id: "listTokens",
    summary: "The API tokens of an account, without the tokens themselves",
    least: "operator",
    answer: "AccountTokens",
  },
  "post /admin/v1/accounts/{id}/tokens": {
    id: "issueToken",
    summary: "Issue an API token; it is shown this once",
    least: "operator",
    answer: "IssuedToken",
    body: "TokenOrder",
  },
  "post /admin/v1/tokens/{id}/revoke": {
    id: "revokeToken",
    summary: "Revoke an API token, at once and for good",
    least: "operator",
    answer: "RevokedToken",
  },
  "get /admin/v1/agents": {
    id: "listAgents",
    summary: "The agents of the accounts that the person sees",
    least: "viewer",
    answer: "ConsoleAgents",
    query: { account: list.account },
  },
  "post /admin/v1/agents/{id}/pause": {
    id: "pauseAgent",
    summary: "Let an agent start no more sessions; those that run go on",
    least: "operator",
    answer: "AgentChange",
  },
  "post /admin/v1/agents/{id}/resume": {
    id: "resumeAgent",
    summary: "Let a paused agent start sessions again",
    least: "operator",
    answer: "AgentChange",
  },
  "get /admin/v1/agents/{id}/gaps": {
    id: "readGaps",
    summary:
      "What visitors asked and the agent could not answer, in its newest 2,000 sessions since `since`. It quotes visitors: that it was read is written to the audit",
    least: "viewer",
    answer: "AgentGaps",
    query: {
      since: { ...list.since, description: "Required." },
      limit: {
        description:
          "With 0 they are only counted, in `more`; nobody is quoted, and nothing is written to the audit.",
        schema: { type: "integer", minimum: 0, maximum: 1_000, default: 50 },
      },
    },
  },
  "get /admin/v1/funnel": {
    id: "readFunnel",
    summary: "How far visitors came since the day of `since`",
    least: "viewer",
    answer: "ConsoleFunnel",
    query: {
      account: list.account,
      since: { ...list.since, description: "From the beginning of its day in UTC; required." },
      by: {
        description: "A row for each value of this.",
        schema: { enum: ["day", "agent", "page", "language", "entry", "version", "device"] },
      },
    },
  },
  "get /admin/v1/figures": {
    id: "readFigures",
    summary: "How fast visitors were served since the day of `since`, what it cost and what failed",
    least: "viewer",
    answer: "ConsoleFigures",
    query: {
      account: list.account,
      since: { ...list.since, description: "From the beginning of its day in UTC; required." },
    },
  },
  "get /admin/v1/status": {
    id: "readStatus",
    summary: "Which processes run, how busy they are, and what waits for them",
    least: "viewer",
    answer: "ConsoleStatus",
  },
  "get /admin/v1/sessions": {
    id: "searchSessions",
    summary: "Sessions that fit, the newest first. A search for text is written to the audit",
    least: "viewer",
    answer: "FoundSessions",
    query: found,
  },
  "get /admin/v1/sessions.csv": {
    id: "downloadSessions",
    summary:
      "The same as a spreadsheet, with a column for each question and insight, some 5,000 rows at most; written to the audit",
    least: "viewer",
    answer: "csv",
    query: found,
  },
  "get /admin/v1/sessions/{id}": {
    id: "readSession",
    summary: "Everything about one session; that it was read is written to the audit",
    least: "viewer",
    answer: "Story",
  },
  "post /admin/v1/sessions/{id}/evaluate": {
    id: "evaluateSession",
    summary: "Ask for a new evaluation",
    least: "operator",
    answer: "EvaluationReceipt",
  },
  "get /admin/v1/endpoints": {
    id: "listEndpoints",
    summary:
      "The receivers, how they do, and what holds back the export of their accounts: of 50 accounts at most",
    least: "viewer",
    answer: "ConsoleEndpoints",
    query: { account: list.account },
  },
  "post /admin/v1/endpoints": {
    id: "addEndpoint",
    summary: "Register a receiver; its secret is shown this once",
    least: "operator",
    answer: "AddedEndpoint",
    body: "EndpointOrder",
  },
  "get /admin/v1/endpoints/{id}": {
    id: "readEndpoint",
    summary: "One receiver with its newest ten deliveries, also one that was removed",
    least: "viewer",
    answer: "EndpointDetail",
  },
  "post /admin/v1/endpoints/{id}/pause": {
    id: "pauseEndpoint",
    summary: "Hold what is to be sent to a receiver; nothing is lost",
    least: "operator",
    answer: "EndpointChange",
  },
  "post /admin/v1/endpoints/{id}/resume": {
    id: "resumeEndpoint",
    summary: "Send to a paused receiver again, what waited first",
    least: "operator",
    answer: "EndpointChange",
  },
  "post /admin/v1/endpoints/{id}/remove": {
    id: "removeEndpoint",
    summary: "Send nothing more to a receiver, and cancel what waits",
    least: "operator",
    answer: "EndpointRemoval",
    body: "RemovalOrder",
  },
  "post /admin/v1/endpoints/{id}/rotate": {
    id: "rotateSecret",
    summary: "Take a step in the replacement of a receiver's secret; a new one is shown this once",
    least: "operator",
    answer: "Rotation",
    body: "RotationOrder",
  },
  "post /admin/v1/endpoints/{id}/test": {
    id: "testEndpoint",
    summary: "Send a receiver a made-up session in several ways, and say what to fix",
    least: "operator",
    answer: "ReceiverTest",
    body: "ReceiverTestOrder",
  },
  "get /admin/v1/deliveries": {
    id: "listDeliveries",
    summary: "Deliveries, the newest first",
    least: "viewer",
    answer: "DeliveryRows",
    query: {
      ...list,
      session: { description: "Only of this session.", schema: { type: "string", format: "uuid" } },
      endpoint: { description: "Only to this endpoint.", schema: { type: "string" } },
      state: {
        description: "Only in this state.",
        schema: {
          enum: ["waiting", "running", "delivered", "exhausted", "orphaned", "cancelled"],
        },
      },
    },
  },
  "get /admin/v1/deliveries/{id}": {
    id: "readDelivery",
    summary: "One delivery with every attempt, without the body that was sent",
    least: "viewer",
    answer: "DeliveryDetail",
  },
  "post /admin/v1/deliveries/replay": {
    id: "replayDeliveries",
    summary: "Send deliveries again, with the same bytes",
    least: "operator",
    answer: "ReplayReceipt",
    body: "ReplayOrder",
  },
  "get /admin/v1/erasures": {
    id: "listErasures",
    summary: "Receipts of what was erased, the newest first",
    least: "viewer",
    answer: "Erasures",
    query: list,
  },
  "post /admin/v1/erasures": {
    id: "erase",
    summary: "Erase a session, or all that is kept of a person, for good",
    least: "admin",
    answer: "Erased",
    body: "EraseOrder",
  },
};

/** The paths of the admin API. `x-least-role` is what the server enforces; a test compares the two. */
export function adminPaths(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, operation] of Object.entries(OPERATIONS)) {
    const [method, path] = key.split(" ") as [string, string];
    (paths[path] ??= {})[method] = described(path, operation);
  }
  return paths;
}

const json = (name: string): object => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});

function described(
  path: string,
  { id, summary, least, answer, body, query }: AdminOperation,
): object {
  const inPath = path.includes("{id}")
    ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }]
    : [];
  const inQuery = Object.entries(query ?? {}).map(([name, rest]) => ({
    name,
    in: "query",
    ...rest,
  }));
  const problem = (description: string): object => ({
    description,
    content: json("AdminErrorBody"),
  });
  return {
    operationId: id,
    summary,
    "x-least-role": least,
    parameters: [...inPath, ...inQuery],
    ...(body !== undefined && { requestBody: { required: true, content: json(body) } }),
    responses: {
      "200": {
        description: "Done.",
        content: answer === "csv" ? { "text/csv": { schema: { type: "string" } } } : json(answer),
      },
      "400": problem("The request does not fit what is documented."),
      "401": problem("Nobody is signed in, or the sign-in has ended."),
      "403": problem(`The role is below ${least}, or the request comes from another origin.`),
      ...(path.includes("{id}") || body !== undefined || query?.["account"] !== undefined
        ? { "404": problem("It does not exist, or its account is not seen.") }
        : {}),
      ...(body !== undefined && { "409": problem("Its state does not allow this.") }),
    },
  };
}
