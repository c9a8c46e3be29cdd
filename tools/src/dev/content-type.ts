import { extname } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** By the end of its name. Undefined: nothing that a page needs. */
export function contentTypeOf(path: string): string | undefined {
  return TYPES[extname(path)];
}
