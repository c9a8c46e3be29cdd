/** Code that solves a finding, to be copied. */
export interface Cure {
  node: string;
  python: string;
}

export type CureName = "verify" | "raw_body" | "store_by_id" | "larger_body" | "answer_first";

export const CURES: Record<CureName, Cure> = {
  verify: {
    node: `import { createHmac, timingSafeEqual } from "node:crypto";

const expected = Buffer.from(createHmac("sha256", process.env.SVC_WEBHOOK_SECRET).update(rawBody).digest("hex"));
const given = Buffer.from(String(request.headers["x-webhook-signature"] ?? ""));
const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
if (!isGenuine) return response.writeHead(401).end();`,
    python: `import hashlib, hmac, os

expected = hmac.new(os.environ["SVC_WEBHOOK_SECRET"].encode(), raw_body, hashlib.sha256).hexdigest()
given = request.headers.get("X-Webhook-Signature", "")
if not hmac.compare_digest(expected.encode(), given.encode()):
    return "", 401`,
  },
  raw_body: {
    node: `// Express: the bytes as they came; parse them after the signature was checked.
app.post("/hooks/svc", express.raw({ type: "application/json", limit: "5mb" }), (request, response) => {
  const rawBody = request.body;
  // check the signature of rawBody here
  const event = JSON.parse(rawBody);
});`,
    python: `# Flask: the bytes as they came; parse them after the signature was checked.
raw_body = request.get_data()
# check the signature of raw_body here
event = json.loads(raw_body)`,
  },
  store_by_id: {
    node: `await db.query(
  "INSERT INTO sessions (id, session) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET session = excluded.session",
  [event.data.id, JSON.stringify(event.data)],
);`,
    python: `db.execute(
    "INSERT INTO sessions (id, session) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET session = excluded.session",
    (event["data"]["id"], json.dumps(event["data"])),
)`,
  },
  larger_body: {
    node: `// Express; nginx in front of it: client_max_body_size 5m;
app.post("/hooks/svc", express.raw({ type: "application/json", limit: "5mb" }), receive);`,
    python: `# Flask; nginx in front of it: client_max_body_size 5m;
app.config["MAX_CONTENT_LENGTH"] = 5 * 1024 * 1024`,
  },
  answer_first: {
    node: `await inbox.put(event.data.id, rawBody); // your own table or queue: stored, not yet worked on
response.writeHead(204).end();`,
    python: `inbox.put(event["data"]["id"], raw_body)  # your own table or queue: stored, not yet worked on
return "", 204`,
  },
};
