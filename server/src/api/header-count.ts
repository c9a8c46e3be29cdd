import type { IncomingMessage } from "node:http";

/** How often a request carries a header. Node itself keeps the first of several and says nothing. */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
