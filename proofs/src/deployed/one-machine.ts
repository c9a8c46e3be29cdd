import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startNameServer } from "@svc/rehearsal";
import { LiveBrowser } from "@svc/server/testing";
import { plantedNoticed, walkInText } from "../journeys/api-journey.ts";
import { openWholeProduct } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import type { Outcome } from "../runner/proof.ts";
import { TALKS } from "../talk/talks.ts";
import type { InsideTools } from "./namespace.ts";
import { startUnit, verifyUnits } from "./systemd-unit.ts";
import type { StartedUnit } from "./systemd-unit.ts";

const DEPLOY = "/opt/svc/deploy";
const UNITS = join(DEPLOY, "systemd");
const SETTINGS = "/etc/svc";
const PUBLIC_URL = "https://svc.example.com";
const ROLES = { api: 9464, live: 9465, pipeline: 9466 };

/** The proxies, each with its sample in place. */
const PROXIES = {
  nginx: {
    install: () => cpSync(join(DEPLOY, "nginx/svc.conf"), "/etc/nginx/conf.d/svc.conf"),
    command: ["nginx", "-g", "daemon off;"],
    environment: {},
  },
  caddy: {
    install: () => cpSync(join(DEPLOY, "caddy/Caddyfile"), "/etc/caddy/Caddyfile"),
    command: ["caddy", "run", "--config", "/etc/caddy/Caddyfile"],
    // No authority outside can be asked for a certificate here.
    environment: { SVC_TLS: "/etc/ssl/svc/fullchain.pem /etc/ssl/svc/key.pem", HOME: "/run" },
  },
};

/** The systemd units and both proxies, in a machine of their own. */
export async function proveOneMachine({ say, onEnd }: InsideTools): Promise<Outcome> {
  await verifyUnits(["svc@api.service", "svc-migrate.service"].map((name) => join(UNITS, name)));
  const product = await openProduct(onEnd);
  const units = await startRoles(product, onEnd);
  const faults: string[] = [];
  let control = "";
  for (const name of ["nginx", "caddy"] as const) {
    const proxy = await startProxy(name, onEnd);
    const walked = await walkInText(product, TALKS[0]!);
    const found = [...walked.faults, ...(await judgeAddresses())];
    say(`${name}: ${found.length} faults${found.map((fault) => `; ${fault}`).join("")}`);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    control = plantedNoticed(walked.delivered, walked.expected);
    await proxy.stop();
  }
  const planted = await judgePlanted(onEnd);
  say(
    `control: ${control} wrong deliveries noticed; without upgrade and address: ${planted.join(", ")}`,
  );
  const codes = await Promise.all(Object.values(units).map((unit) => unit.stop()));
  if (codes.some((code) => code !== 0)) faults.push(`stopped with ${codes.join(", ")}`);
  return {
    figure: `${faults.length} faults through nginx and Caddy, ${planted.length} of 3 planted noticed`,
    ok: faults.length === 0 && planted.length === 3 && control === "4 of 4",
    engines: ["nginx", "Caddy"],
  };
}

/** Stand-ins, a customer and a database. Its own server is another process, which nobody asks. */
async function openProduct(onEnd: InsideTools["onEnd"]): Promise<WholeProduct> {
  const product = await openWholeProduct(onEnd, { SVC_ROLE: "api" });
  return { ...product, server: { ...product.server, url: PUBLIC_URL } };
}

/** The migration and the three roles, as an operator sets them up: the samples, with their own values filled in. */
async function startRoles(
  { stage, model }: WholeProduct,
  onEnd: InsideTools["onEnd"],
): Promise<Record<keyof typeof ROLES, StartedUnit>> {
  const { database } = stage;
  cpSync(UNITS, SETTINGS, { recursive: true, filter: (path) => !path.endsWith(".service") });
  fillIn(join(SETTINGS, "svc.env"), {
    SVC_DATABASE_URL: database.url,
    SVC_EXPORT_DATABASE_URL: database.exportUrl,
    SVC_SECRET_KEYS: `k1:${Buffer.alloc(32, "test").toString("base64")}`,
    SVC_MODEL_URL: model.baseUrl,
    SVC_EVALUATION_MODEL: "rehearsal",
  });
  // Nothing outside can be reached; the customer's receiver is on this machine, and has no certificate.
  const names = await startNameServer();
  onEnd(() => names.close());
  const more = [
    `SVC_DNS_SERVERS=${names.server}`,
    "SVC_WEBHOOK_PLAIN_HTTP=on",
    "SVC_WEBHOOK_PRIVATE_ADDRESSES=on",
    // Two requests at once and one every ten seconds are all that an address may make to a page.
    "SVC_PUBLIC_RATE_FACTOR=0.02",
  ];
  appendFileSync(join(SETTINGS, "svc.env"), more.map((line) => `${line}\n`).join(""));

  const migrated = await startUnit(join(UNITS, "svc-migrate.service")).ended;
  if (migrated !== 0) throw new Error(`the migrations ended with ${migrated}`);
  const start = async (role: keyof typeof ROLES): Promise<StartedUnit> => {
    const unit = startUnit(join(UNITS, "svc@.service"), role);
    onEnd(() => unit.kill());
    await answers(`http://127.0.0.1:${ROLES[role]}/readyz`, unit.ended);
    return unit;
  };
  return { api: await start("api"), live: await start("live"), pipeline: await start("pipeline") };
}

/** As an operator edits the file: each variable must stand in it already. */
function fillIn(file: string, values: Record<string, string>): void {
  let text = readFileSync(file, "utf8");
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^${name}=.*$`, "m");
    if (!line.test(text)) throw new Error(`${file} has no line for ${name}`);
    text = text.replace(line, () => `${name}=${value}`);
  }
  writeFileSync(file, text);
}

interface StartedProxy {
  stop(): Promise<void>;
}

/** @param change of the sample, for the control. */
async function startProxy(
  name: keyof typeof PROXIES,
  onEnd: InsideTools["onEnd"],
  change: (sample: string) => string = (sample) => sample,
): Promise<StartedProxy> {
  const { install, command, environment } = PROXIES[name];
  install();
  if (name === "nginx") {
    const place = "/etc/nginx/conf.d/svc.conf";
    writeFileSync(place, change(readFileSync(place, "utf8")));
  }
  const [program, ...words] = command;
  const child = spawn(program!, words, {
    stdio: ["ignore", "ignore", "ignore"],
    env: { PATH: process.env["PATH"], ...environment },
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  onEnd(stop);
  await answers(`${PUBLIC_URL}/sdk/sdk.js`, ended);
  return { stop };
}

/** Waits until an address answers, or its process has ended. */
export async function answers(url: string, ended: Promise<number | null>): Promise<void> {
  while (!(await isAnswering(url))) {
    const code = await Promise.race([ended, delay(50, "runs" as const)]);
    if (code !== "runs") throw new Error(`${url} never answered: its process ended with ${code}`);
  }
}

function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/** More than one address may ask for, with the limits as they are here. */
const FLOOD = 6;
/** Of different networks, which have limits of their own. */
const [FLOODER, CLAIMED] = ["127.2.0.2", "127.3.0.2"];
let others = 0;

/** One visitor floods a page: they are refused, whatever address they claim, and another visitor is not. */
async function judgeAddresses(): Promise<string[]> {
  const faults: string[] = [];
  await Promise.all(Array.from({ length: FLOOD }, () => statusFor(FLOODER)));
  others += 1;
  const [flooder, claiming, other] = [
    await statusFor(FLOODER),
    await statusFor(FLOODER, { "x-forwarded-for": CLAIMED }),
    await statusFor(`127.4.${others}.2`),
  ];
  if (flooder !== 429) faults.push(`a flood is answered with ${flooder}`);
  if (claiming !== 429) faults.push(`one that claims another address is answered with ${claiming}`);
  if (other !== 200) faults.push(`another visitor is answered with ${other}`);
  return faults;
}

function statusFor(address: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = `${PUBLIC_URL}/openapi.json`;
    get(url, { localAddress: address, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on("error", reject);
  });
}

/** What is noticed of the sample for nginx without two of its lines, which people leave out. */
async function judgePlanted(onEnd: InsideTools["onEnd"]): Promise<string[]> {
  const proxy = await startProxy("nginx", onEnd, (sample) =>
    sample.replaceAll(/^ *proxy_set_header (?:Upgrade|X-Forwarded-For) .*\n/gm, ""),
  );
  const { closeCode } = await LiveBrowser.open(`${PUBLIC_URL.replace("http", "ws")}/sdk/v1/live`);
  const faults = await judgeAddresses();
  await proxy.stop();
  return [...(closeCode === undefined ? [] : [`the socket closed with ${closeCode}`]), ...faults];
}
