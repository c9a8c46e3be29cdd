import { startScriptedDns } from "@svc/server/testing";
import type { DnsAnswer, DnsQuestion, ScriptedDns } from "@svc/server/testing";
import type { Zone } from "./domain-cases.ts";
import { ODD_DOMAIN } from "./odd-addresses.ts";

/** Names below it are good, each a domain of its own. */
export const GOOD_DOMAIN = "good.test";
/** Nobody ever hears of names below it. */
export const HANGING_DOMAIN = "hanging.test";
/** Names below it fail until they are healed. */
export const ILL_DOMAIN = "ill.test";

export interface NameServer extends ScriptedDns {
  define(zone: Zone): void;
  /** From now on names below `ILL_DOMAIN` are well. */
  heal(): void;
}

export async function startNameServer(): Promise<NameServer> {
  const zone: Zone = {};
  let isHealed = false;
  function answer(question: DnsQuestion): DnsAnswer {
    const { name, type } = question;
    const isBelow = (domain: string): boolean => name === domain || name.endsWith(`.${domain}`);
    if (isBelow(HANGING_DOMAIN)) return "silence";
    if (isBelow(ILL_DOMAIN) && !isHealed) return "servfail";
    if ([GOOD_DOMAIN, ILL_DOMAIN, ODD_DOMAIN].some(isBelow)) {
      return type === "MX" ? [`10 mx.${GOOD_DOMAIN}`] : ["9.9.9.9"].filter(() => type === "A");
    }
    const records = zone[name];
    if (records === undefined) return "nxdomain";
    const said = records[type] ?? [];
    return typeof said === "function" ? said(question) : said;
  }
  const server = await startScriptedDns(answer);
  return {
    ...server,
    define: (more) => void Object.assign(zone, more),
    heal: () => void (isHealed = true),
  };
}
