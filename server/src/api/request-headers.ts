import type { IncomingMessage } from "node:http";
import { normalOrigin } from "#agents";
import type { DeviceKind } from "@svc/contract/types";
import type { FastifyRequest } from "fastify";

/** From the first byte to the last, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Returns the part of `size` bytes, identified by `etag`, that a request asks for. Several ranges, and what is no range,
 * are answered with the whole, as HTTP allows; Safari plays no video from a server that knows none.
 */
export function byteRange(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  etag: string,
  size: number,
): ByteRange | "whole" | "unsatisfiable" {
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? "") ?? [];
  if (method !== "GET" || (from === "" && to === "")) return "whole";
  // The beginning that the browser has is of another file.
  if ((headers["if-range"] ?? etag) !== etag) return "whole";
  if (from !== "" && to !== "" && Number(from) > Number(to)) return "whole";
  const first = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  return first < size ? { first, last } : "unsatisfiable";
}

/**
 * Returns the origin of the page that sent this request. `null` when its browser does not send it, as a sandboxed
 * frame's does not. Anybody can write these headers: they keep honest pages apart and nothing more.
 */
export function pageOrigin({ headers: { origin, referer } }: FastifyRequest): string | null {
  const normal = normalOrigin(origin ?? referer ?? "");
  return normal === undefined || normal.length > MAX_CHARACTERS ? null : normal;
}

/** The maximum length of an origin in an agent's configuration. */
const MAX_CHARACTERS = 300;

/** What the visitor holds, as far as its browser says. A tablet that asks for desktop pages is a desktop. */
export function deviceOf({ headers }: FastifyRequest): DeviceKind {
  const agent = headers["user-agent"] ?? "";
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(agent)) return "tablet";
  return /Mobi|iPhone|iPod/i.test(agent) ? "phone" : "desktop";
}

/** Counts how often a request carries a header. Node itself keeps the first of several and reports nothing. */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
