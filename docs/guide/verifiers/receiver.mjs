import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { verifySignature } from "./verify.mjs";

const secrets = process.env.SVC_WEBHOOK_SECRET.split(" ");
const copy = new DatabaseSync(process.env.SVC_COPY ?? "sessions.db");
copy.exec("CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, session TEXT)");
const store = copy.prepare(
  "INSERT INTO sessions VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET session = excluded.session",
);

async function receive(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks);
  if (!verifySignature(rawBody, request.headers, secrets)) return 401;
  const { data: session } = JSON.parse(rawBody);
  store.run(session.id, JSON.stringify(session));
  console.log(`Stored ${session.id}`);
  return 204;
}

createServer(async (request, response) => {
  const status = await receive(request).catch(() => 500);
  response.writeHead(status).end();
}).listen(Number(process.env.PORT ?? 8000));
