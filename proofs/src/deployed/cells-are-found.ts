import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { addCustomer } from "@svc/server/testing";
import type { Customer } from "@svc/server/testing";
import { freePort } from "@svc/tools/free-port";
import { waitUntil } from "../browsers/wait-until.ts";
import { ROOT } from "../runner/claims.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { startOf } from "../talk/visitor.ts";

const CELLS = ["aa", "bb"] as const;
const NAME = "svc.example.com";
const READY_WITHIN_MS = 20_000;

/** A cell: a database of its own, a process on it, and a customer. */
interface Cell {
  cell: string;
  customer: Customer;
  port: string;
}

export const cellsAreFound: Claim = {
  promise:
    "Behind the sample for nginx, a request finds its cell by its token, its agent or its name, and no other",
  bound: "0 requests of 10 in the wrong one of two cells; a map that leads elsewhere is noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  async prove(tools) {
    const stage = await openStage();
    tools.onEnd(() => stage.close());
    const cells = await Promise.all(
      CELLS.map(async (cell): Promise<Cell> => {
        const database = await stage.cloneDatabase();
        const customer = await addCustomer(database.db, { cell });
        const { url } = await stage.startServer({ SVC_ROLE: "api", SVC_CELL: cell }, database);
        return { cell, customer, port: new URL(url).port };
      }),
    );
    const sample = await readFile(join(ROOT, "deploy/nginx/cells.conf"), "utf8");
    const faults = await judge(await startNginx(tools, sample, cells), cells);
    for (const fault of faults) tools.say(`wrong: ${fault}`);
    const crossed = sample.replace("aa svc_api_aa", "aa svc_api_bb");
    const noticed = await judge(await startNginx(tools, crossed, cells), cells);
    tools.say(`control: ${noticed.length} noticed where one cell leads to the other`);
    return {
      figure: `${faults.length} requests in the wrong cell`,
      ok: faults.length === 0 && noticed.length > 0,
      engines: ["nginx"],
    };
  },
};

/** Each cell knows only its own customer, and refuses what is of the other. */
async function judge(port: number, cells: readonly Cell[]): Promise<string[]> {
  const faults: string[] = [];
  const expect = async (status: number, what: string, asked: Asked): Promise<void> => {
    const answer = await ask(port, asked);
    if (answer.status !== status) faults.push(`${what}: ${answer.status} ${answer.body}`);
  };
  for (const { cell, customer } of cells) {
    const { agentId } = customer.agent;
    const token = `Bearer ${customer.token}`;
    const [other] = CELLS.filter((one) => one !== cell);
    const path = "/v1/sessions.json";
    await expect(200, `token of ${cell}`, { path, headers: { authorization: token } });
    // A token is worth more than a name.
    const elsewhere = { host: `${other}.${NAME}`, authorization: token };
    await expect(200, `token of ${cell} at ${other}`, { path, headers: elsewhere });
    await expect(200, `agent of ${cell}`, { path: `/sdk/v1/agents/${agentId}` });
    const start = JSON.stringify(startOf({ agentId, language: "en", mode: "text" }));
    const headers = { host: `${cell}.${NAME}`, "content-type": "application/json" };
    // It is known there, and no process holds conversations; elsewhere it is not known.
    await expect(503, `start in ${cell}`, { path: "/sdk/v1/sessions", headers, body: start });
  }
  await expect(404, "a start without a cell", { path: "/sdk/v1/sessions", body: "{}" });
  await expect(404, "a cell that is not there", { path: "/sdk/v1/agents/agent_zz2345" });
  return faults;
}

interface Asked {
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(
  port: number,
  { path, headers, body }: Asked,
): Promise<{ status: number; body: string }> {
  const method = body === undefined ? "GET" : "POST";
  const sent = request({ port, path, method, headers: { host: NAME, ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode!, body: await text(answer) };
}

/** With its sample as it is, but for addresses and certificates. Returns its port. */
async function startNginx(
  { onEnd }: Tools,
  sample: string,
  cells: readonly Cell[],
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "svc-cells-"));
  onEnd(() => rm(folder, { recursive: true }));
  const port = await freePort();
  let changed = sample
    .replace("listen 443 ssl http2", `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*\n/gm, "");
  for (const [at, cell] of cells.entries())
    changed = changed.replaceAll(
      new RegExp(`10\\.0\\.${at + 1}\\.1:808[01]`, "g"),
      `127.0.0.1:${cell.port}`,
    );
  await writeFile(
    join(folder, "nginx.conf"),
    `pid ${folder}/pid;
daemon off;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
  ${changed}
}`,
  );
  const child = spawn("nginx", ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` },
  });
  onEnd(() => child.kill());
  const isUp = (): Promise<boolean> =>
    ask(port, { path: "/" }).then(
      () => true,
      () => false,
    );
  if (!(await waitUntil(isUp, READY_WITHIN_MS, 50))) throw new Error("nginx does not start");
  return port;
}
