import { isIP } from "node:net";
import { AppError } from "../app-error.ts";
import type { ErrorWords } from "../app-error.ts";
import { createAddressGuard } from "./address-guard.ts";
import type { GuardOptions } from "./address-guard.ts";

/** An address that a customer gave, read once and in one spelling. */
export interface Target {
  /** Scheme, host and port, as they stand before the path: `https://example.com:8443`. */
  origin: string;
  isSecure: boolean;
  /** A name without its last dot, or an IP address without brackets. */
  host: string;
  port: number;
  /** With the query, as it is sent. */
  path: string;
}

export interface TargetRules extends GuardOptions {
  /** `http:` beside `https:`. */
  allowPlainHttp?: boolean | undefined;
}

/** Receivers, and proxies before them, refuse request lines from 8 KB on; nobody's is a quarter of that. */
const MAX_ADDRESS_LENGTH = 2_048;

/**
 * Reads an address, or says what is wrong with it. A fragment and a default port are left out,
 * names come out in their ASCII form, numbers as dotted IPv4 addresses.
 */
export function readTarget(
  address: string,
  rules: TargetRules,
): { target: Target } | { problem: ErrorWords } {
  const url = URL.parse(address);
  const schemes = rules.allowPlainHttp === true ? ["https:", "http:"] : ["https:"];
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refused("It is not a web address.", "Give one such as https://example.com/hooks/svc.");
  }
  if (!schemes.includes(url.protocol)) {
    return refused(
      "It begins with http:, and what is sent is personal data.",
      "Give the https: address of the receiver.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    return refused(
      "It holds a user name or a password, which would show wherever the address does.",
      "Leave them out, and check the signature of each request instead.",
    );
  }
  if (url.port === "0") return refused("Its port is 0.", "Give the port that the receiver uses.");

  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (!isHost(host)) {
    return refused("No computer can have its host name.", "Check the name for a slip.");
  }
  const literal = isLocalhost(host) ? "127.0.0.1" : host;
  if (isIP(literal) !== 0 && !createAddressGuard(rules)(literal)) {
    return refused(
      `${host} is not a public address.`,
      "Give an address that can be reached from the internet.",
    );
  }

  const shownPort = url.port === "" ? "" : `:${url.port}`;
  const origin = `${url.protocol}//${isIP(host) === 6 ? `[${host}]` : host}${shownPort}`;
  const path = `${url.pathname}${url.search}`;
  if (origin.length + path.length > MAX_ADDRESS_LENGTH) {
    return refused(
      `It is longer than ${MAX_ADDRESS_LENGTH} characters.`,
      "Give a shorter one; what it carries can stand behind a short key.",
    );
  }
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  return { target: { origin, isSecure, host, port, path } };
}

/** Names that mean this machine, whatever DNS says of them. */
export function isLocalhost(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function isHost(host: string): boolean {
  const isName = host.length <= 253 && host.split(".").every((label) => LABEL.test(label));
  return isName || isIP(host) !== 0;
}

/** Underscores are no part of a host name, and yet in use. */
const LABEL = /^[a-z0-9_-]{1,63}$/;

function refused(why: string, fix: string): { problem: ErrorWords } {
  return { problem: { what: "The address was not taken.", why, fix } };
}

/**
 * The address as it is stored and later sent to, or an error that says why it cannot be one. It
 * asks no DNS: where a name leads is judged at each request, since it may change between them.
 */
export function checkAddress(address: string, rules: TargetRules): string {
  const read = readTarget(address, rules);
  if ("problem" in read) throw new AppError("invalid_input", read.problem);
  return read.target.origin + read.target.path;
}
