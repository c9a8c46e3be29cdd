import { normalOrigin } from "#agents";
import type { FastifyRequest } from "fastify";

/**
 * Where the page is that sent this request. `null` when its browser does not tell, as a sandboxed
 * frame's does not. Anybody can write these headers: they keep honest pages apart and nothing more.
 */
export function pageOrigin({ headers: { origin, referer } }: FastifyRequest): string | null {
  const told = normalOrigin(origin ?? referer ?? "");
  return told === undefined || told.length > MOST_CHARACTERS ? null : told;
}

/** As long as an origin of an agent may be. */
const MOST_CHARACTERS = 300;
