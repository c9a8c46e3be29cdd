import { lookup } from "node:dns/promises";
import { listeningHost } from "../port.ts";
import { startScriptedDns } from "./scripted-dns.ts";
import type { DnsAnswer, DnsQuestion, ScriptedDns } from "./scripted-dns.ts";

/**
 * Stands in for the name servers of visitors' mail domains: every domain takes mail but those that
 * a typing error makes, and a few that fail in other ways. Addresses of hosts, such as a receiver's,
 * are those that this machine knows.
 */
export function startNameServer(port = 0): Promise<ScriptedDns> {
  return startScriptedDns(answer, { host: listeningHost(), port });
}

const EXCHANGE = "mx.rehearsal.test";
/** Any public address: nothing is ever sent to it. */
const EXCHANGE_ADDRESS = "9.9.9.9";
const UNKNOWN = /(?:\.(?:con|cmo|invalid)|^(?:gmial|gmai|gamil|hotmial|outlok|yaho|exmaple)\.com)$/;
const FAILING = new Map<string, DnsAnswer>([
  ["no-mail.test", ["0 ."]],
  ["servfail.test", "servfail"],
  ["silent.test", "silence"],
]);

function answer({ name, type }: DnsQuestion): DnsAnswer | Promise<DnsAnswer> {
  if (UNKNOWN.test(name)) return "nxdomain";
  if (type === "MX") return FAILING.get(name) ?? [`10 ${EXCHANGE}`];
  if (name === EXCHANGE) return type === "A" ? [EXCHANGE_ADDRESS] : [];
  return addressesOf(name, type === "A" ? 4 : 6);
}

async function addressesOf(name: string, family: 4 | 6): Promise<DnsAnswer> {
  try {
    const found = await lookup(name, { all: true, family });
    return found.map(({ address }) => address);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTFOUND" ? "nxdomain" : "servfail";
  }
}
