import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { contentEncoding, readEncoded } from "#platform";
import type { EncodedBodies } from "#platform";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The built console: one page, and the scripts and styles that it loads by their hashes. */
export class ConsoleFiles {
  readonly #folder: string;
  #files: Promise<Map<string, ConsoleFile>> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Sends a file under its name with its hash, which is never another file. */
  async sendAsset(request: FastifyRequest, reply: FastifyReply, name: string): Promise<boolean> {
    const file = name === PAGE ? undefined : await this.#find(name);
    if (file === undefined) return false;
    void reply.header("cache-control", "public, max-age=31536000, immutable");
    sendFile(request, reply, file);
    return true;
  }

  /** Sends the page that shows every address of the console; false where the console is not built. */
  async sendPage(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const file = await this.#find(PAGE);
    if (file === undefined) return false;
    void reply.header("content-security-policy", POLICY);
    sendFile(request, reply, file);
    return true;
  }

  async #find(name: string): Promise<ConsoleFile | undefined> {
    this.#files ??= readFiles(this.#folder);
    const files = await this.#files;
    // A build may still be written while the first request comes.
    if (!files.has(PAGE)) this.#files = undefined;
    return files.get(name);
  }
}

const PAGE = "index.html";

interface ConsoleFile {
  type: string;
  bodies: EncodedBodies;
}

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  html: "text/html; charset=utf-8",
};

/** Scripts and styles of our own files only, no inline ones, and no text that becomes code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, bodies }: ConsoleFile,
): void {
  const encoding = contentEncoding(headers["accept-encoding"]);
  if (encoding !== "identity") void reply.header("content-encoding", encoding);
  void reply.type(type).header("vary", "accept-encoding").send(bodies[encoding]);
}

async function readFiles(folder: string): Promise<Map<string, ConsoleFile>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => extension(name) in TYPES);
  const files = names.map(async (name): Promise<[string, ConsoleFile]> => {
    const bodies = await readEncoded(join(folder, name));
    return [name, { type: TYPES[extension(name)]!, bodies }];
  });
  return new Map(await Promise.all(files));
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
