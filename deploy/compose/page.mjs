/**
 * A customer who tries Svc: has an account with an agent and a receiver made, by `svc` as an operator would, and
 * shows the agent on a page. Started again, it changes only what is missing.
 */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";

const RECEIVER = "http://receiver:8090";

async function svc(...words) {
  const { stdout } = await promisify(execFile)("svc", [...words, "--json"]);
  return JSON.parse(stdout);
}

const { accounts } = await svc("accounts", "list");
const { client_id: account } =
  accounts.find(({ name }) => name === "Demo") ?? (await svc("accounts", "add", "Demo"));
const { agent_id: agentId } = await svc("agents", "apply", "agents/guide", "--account", account);
await svc("accounts", "set", account, "--default-agent", agentId, "--follow-up", "on");

// The receiver forgets its secret when it is started again, and a secret is shown only once.
const { endpoints } = await svc("webhooks", "list", "--account", account);
for (const { id, url, state } of endpoints) {
  if (url.startsWith(RECEIVER) && state !== "removed") await svc("webhooks", "remove", id, "--yes");
}
const { secret } = await svc("webhooks", "add", `${RECEIVER}/hook`, "--account", account);
await fetch(`${RECEIVER}/rehearsal/secrets`, {
  method: "PUT",
  body: JSON.stringify({ secrets: [secret] }),
});

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Svc</title>
    <link rel="icon" href="data:," />
    <style>
      body { max-width: 44rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; }
      #hero { margin: 2rem 0; }
    </style>
  </head>
  <body>
    <h1>Your page</h1>
    <p>As a visitor sees it. The language model is a stand-in, which knows the first agent and needs no key.</p>
    <div id="hero"></div>
    <p>
      What the customer gets, some seconds after the call: <a href="http://localhost:8091">the signed webhook</a> and
      <a href="http://localhost:8092">the mail</a> to the visitor. What the model was asked:
      <a href="http://localhost:8090">its page</a>.
    </p>
    <script>
      window.SvcConfig = { agentId: "${agentId}" };
    </script>
    <script async id="svc-sdk" src="/sdk/sdk.js"></script>
    <script>
      document.getElementById("svc-sdk").addEventListener("load", () =>
        Svc.hero.mount(document.getElementById("hero"), { ctaText: "Meet Linden", height: 280 }),
      );
    </script>
  </body>
</html>
`;
const server = createServer((_, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8").end(page);
}).listen(8080);
process.once("SIGTERM", () => server.close());
console.log("Open the page: https://localhost");
