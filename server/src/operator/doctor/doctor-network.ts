import { randomBytes, randomUUID } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { connect as connectPlain, isIP } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";
import { connect as connectSecure } from "node:tls";
import type { TLSSocket } from "node:tls";
import { boundedFetch, createDns, errorCode } from "#platform";
import { listEndpoints } from "#webhooks";
import type { Operator } from "../operator.ts";
import { configured, counted, NEEDS_CONFIGURATION } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import { isServed } from "./doctor-processes.ts";

/** What customers and visitors reach, and what the pipeline needs to reach them. */
export const networkChecks: Check[] = [
  { name: "sdk", needsDatabase: false, look: sdk },
  { name: "public address", needsDatabase: true, look: publicAddress },
  { name: "live address", needsDatabase: true, look: liveAddress },
  { name: "name servers", needsDatabase: true, look: nameServers },
];

/** Checks that pages get the SDK's script. */
async function sdk(operator: Operator): Promise<Finding> {
  const folder = configured(() => operator.sdkFolder());
  if (folder === "half") return NEEDS_CONFIGURATION;
  if (folder === undefined) return { state: "ok", says: "not served in this role (SVC_ROLE)" };
  const file = join(folder, "sdk.js");
  const isBuilt = await stat(file).then(
    () => true,
    () => false,
  );
  if (isBuilt) return { state: "ok", says: `served from ${folder}` };
  return {
    state: "fail",
    says: `the SDK is not built: ${file} is missing`,
    fix: "Run `npm run build`, or set SVC_SDK_DIR to where its files are. Until then no page gets its script.",
  };
}

const ANSWER_WITHIN_MS = 5_000;
const MAX_ANSWER_BYTES = 4 * 2 ** 20;
const CERTIFICATE_DAYS = 14;
const DAY_MS = 86_400_000;

/** Asks as a customer and as a page would, through whatever stands in front of the server. */
async function publicAddress(operator: Operator): Promise<Finding> {
  const url = configured(() => operator.publicUrl());
  if (url === "half" || url === undefined) return NEEDS_CONFIGURATION;
  if (!(await isServed(operator.db(), "api"))) return NEEDS_API;
  for (const { path, holds, fix } of PUBLIC_FILES) {
    const trouble = await askFor(url + path, holds);
    if (trouble === undefined) continue;
    const says = `${url}${path} ${trouble.says}`;
    if (trouble.isReached) return { state: "fail", says, fix };
    return { state: "warn", says, fix: `Check SVC_PUBLIC_URL, ${UNREACHED}` };
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:" && !isInside(hostname)) {
    return {
      state: "warn",
      says: `${url} is not encrypted: tokens and conversations can be read on the way`,
      fix: "Terminate TLS in front of the server, and let SVC_PUBLIC_URL begin with https://.",
    };
  }
  if (protocol === "http:") return { state: "ok", says: `${url} answers` };
  return judgeCertificate(url, await certificateEnd(url), operator.clock.nowMs());
}

const NEEDS_API: Finding = { state: "skip", says: "needs an api process" };
const NEEDS_LIVE: Finding = { state: "skip", says: "needs a live process" };

const UNREACHED =
  "its name in the DNS, and the proxy. If only this machine cannot reach it, run `svc doctor` where it can be reached.";

/** Addresses that every api process answers, and what the answer must have in its body or its type. */
const PUBLIC_FILES = [
  {
    path: "/openapi.json",
    holds: /Svc session export/,
    fix: "Check SVC_PUBLIC_URL, and that the proxy behind it leads to SVC_PORT of the api processes.",
  },
  {
    path: "/sdk/sdk.js",
    holds: /^text\/javascript/,
    fix: "Run `npm run build` where the api processes run, or set SVC_SDK_DIR there; a proxy must lead /sdk/ to them.",
  },
];

/** What is wrong with an address. */
interface Trouble {
  /** Something answers there, but not as it should. */
  isReached: boolean;
  says: string;
}

async function askFor(url: string, holds: RegExp): Promise<Trouble | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const response = await boundedFetch(MAX_ANSWER_BYTES)(url, {
      signal,
      redirect: "manual",
      headers: { "accept-encoding": "identity" },
    });
    const text = `${response.headers.get("content-type")}\n${await response.text()}`;
    if (response.status !== 200) return { isReached: true, says: `answers ${response.status}` };
    return holds.test(text) ? undefined : { isReached: true, says: "is not answered by Svc" };
  } catch (error) {
    return { isReached: false, says: `cannot be reached from here (${reasonOf(error)})` };
  }
}

/** The network's code, such as ECONNREFUSED or CERT_HAS_EXPIRED, or that time was up. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no reason given";
  if (error.name === "TimeoutError") return `no answer within ${ANSWER_WITHIN_MS / 1_000} s`;
  const code = errorCode(error);
  if (code !== "") return code;
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}

/** On this machine or by a bare address of a private network, where nobody else listens. */
function isInside(hostname: string): boolean {
  return /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[(?:::1|f[cd]))/.test(
    hostname,
  );
}

/** When the certificate of an address ends, which was just accepted. */
async function certificateEnd(url: string): Promise<number> {
  const socket = await dial(new URL(url));
  const { valid_to: end } = (socket as TLSSocket).getPeerCertificate();
  socket.destroy();
  return Date.parse(end);
}

/** Connects to an address of ours, encrypted where it says so. */
async function dial({ protocol, hostname, port }: URL): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isSecure = /^(?:https|wss):$/.test(protocol);
  const at = { host, port: Number(port || (isSecure ? "443" : "80")) };
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = isSecure ? connectSecure({ ...at, ...servername }) : connectPlain(at);
  socket.setTimeout(ANSWER_WITHIN_MS, () =>
    socket.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS / 1_000} s`)),
  );
  await once(socket, isSecure ? "secureConnect" : "connect");
  return socket;
}

export function judgeCertificate(url: string, endsMs: number, nowMs: number): Finding {
  const days = Math.floor((endsMs - nowMs) / DAY_MS);
  const says = `${url} answers; its certificate ends in ${counted(days, "day")}`;
  if (days > CERTIFICATE_DAYS) return { state: "ok", says };
  return { state: "warn", says, fix: "Renew the certificate, or look into why that failed." };
}

/** Opens the socket that a visitor's browser opens, and leaves without a word. */
async function liveAddress(operator: Operator): Promise<Finding> {
  const url = configured(() => operator.liveUrl());
  if (url === "half" || url === undefined) return NEEDS_CONFIGURATION;
  if (!(await isServed(operator.db(), "live"))) return NEEDS_LIVE;
  const trouble = await openSocket(url);
  if (trouble === undefined) return { state: "ok", says: `${url} takes WebSockets` };
  return {
    state: trouble.isReached ? "fail" : "warn",
    says: `${url} ${trouble.says}`,
    fix: trouble.isReached
      ? "Let the proxy pass WebSockets on (the headers Upgrade and Connection) to a live process, or correct SVC_LIVE_URL. Until then no visitor can talk."
      : `Check SVC_LIVE_URL, ${UNREACHED}`,
  };
}

/** Only the handshake: the answer to it tells whether a proxy passes WebSockets on. */
async function openSocket(text: string): Promise<Trouble | undefined> {
  const url = new URL(text);
  try {
    const socket = await dial(url);
    const key = randomBytes(16).toString("base64");
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\nsec-websocket-protocol: svc.live.v1\r\n\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    const [, status = "something else than HTTP"] =
      /^HTTP\/1\.1 (\d{3})/.exec(answer.toString("latin1")) ?? [];
    if (status === "101") return undefined;
    return { isReached: true, says: `answers ${status} and opens no WebSocket` };
  } catch (error) {
    return { isReached: false, says: `cannot be reached from here (${reasonOf(error)})` };
  }
}

/** Asks each name server for a name that cannot exist (RFC 6761), which every honest one knows. */
async function nameServers(operator: Operator): Promise<Finding> {
  const receivers = configured(() => operator.receivers());
  if (receivers === "half") return NEEDS_CONFIGURATION;
  const set = receivers.dnsServers ?? [];
  const servers = set.length > 0 ? set : new Resolver().getServers();
  const name = `svc-doctor-${randomUUID()}.invalid`;
  const troubles = await Promise.all(servers.map((server) => askNameServer(server, name)));
  const found = troubles.filter((trouble) => trouble !== undefined);
  if (found.length === 0) {
    return { state: "ok", says: counted(servers.length, "server answers", "servers answer") };
  }
  const endpoints = await listEndpoints(operator.db());
  const isUsed = endpoints.some(
    ({ url }) => isIP(new URL(url).hostname.replace(/[[\]]/g, "")) === 0,
  );
  return {
    state: found.length === servers.length && isUsed ? "fail" : "warn",
    says: found.join("; "),
    fix: `${set.length > 0 ? "Correct SVC_DNS_SERVERS." : "Correct the machine's name servers, or set SVC_DNS_SERVERS."} By them the pipeline finds receivers and checks visitors' email domains.`,
  };
}

async function askNameServer(server: string, name: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const [address] = await createDns({ servers: [server] }).addressesOf(name, signal);
    return `${server} makes up the address ${address} for a name that does not exist`;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOTFOUND" || code === "ENODATA") return undefined;
    return `${server} does not answer (${code || "too late"})`;
  }
}
