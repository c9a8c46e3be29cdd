import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of the console. */
export interface Cookie {
  /** Begins with `__Host-`: browsers refuse it without Secure, with a domain, or for a part of the host only. */
  name: string;
  /** Values of any other shape are as good as none. */
  shape: RegExp;
  rules: string;
}

export function cookieOf({ headers }: FastifyRequest, cookie: Cookie): string | undefined {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
  const [, value] = pairs.find(([name]) => name === cookie.name) ?? [];
  return value !== undefined && cookie.shape.test(value) ? value : undefined;
}

export function setCookie(reply: FastifyReply, { name, rules }: Cookie, value: string): void {
  void reply.header("set-cookie", `${name}=${value}; ${rules}`);
}

export function endCookie(reply: FastifyReply, { name, rules }: Cookie): void {
  void reply.header("set-cookie", `${name}=; ${rules}; Max-Age=0`);
}
