import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { contentEncoding, readEncoded } from "#platform";
import type { EncodedBodies } from "#platform";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendError } from "./http-error.ts";

interface SdkFile {
  type: string;
  digest: string;
  integrity: string;
  bodies: EncodedBodies;
}

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  ts: "text/plain; charset=utf-8",
};

/** Five minutes, so that a repair reaches every page soon; for a day an old copy may bridge the wait for a new one. */
const CURRENT = "public, max-age=300, stale-while-revalidate=86400, stale-if-error=604800";
/** Named by hash or by version: never another file. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the SDK: `/sdk/sdk.js` and its types for everybody, chunks by their hash, `/sdk/v0/` for
 * the earlier bootstrap, and `/sdk/<version>/` for pages that pin one.
 */
export function serveSdkFiles(app: FastifyInstance, folder: string, publicUrl: string): void {
  const files = new SdkFolder(folder, (name) =>
    app.log.error({ folder, file: name }, "a file of the SDK is not what was built: not served"),
  );

  // Otherwise the first to hear of it is a page whose script does not load.
  app.addHook("onReady", async () => {
    if (!(await files.isBuilt())) app.log.warn({ folder }, "the SDK is not built");
  });

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    caching: string,
  ): Promise<FastifyReply> {
    const file = await files.find(name);
    if (file === undefined) {
      return sendError(
        reply,
        404,
        "not_found",
        (await files.isBuilt())
          ? "There is no such file of the SDK. It may be of another version; the current one is /sdk/sdk.js."
          : "The SDK is not built on this server, so it has no file of it. Its operator runs `npm run build`, or sets SVC_SDK_DIR.",
      );
    }
    const encoding = contentEncoding(request.headers["accept-encoding"]);
    // Each encoding has a tag of its own: a cache must not take one's bytes for another's.
    const etag = `"${file.digest}-${encoding}"`;
    void reply.headers({
      "content-type": file.type,
      "cache-control": caching,
      etag,
      vary: "accept-encoding",
    });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    if (encoding !== "identity") void reply.header("content-encoding", encoding);
    return reply.send(file.bodies[encoding]);
  }

  for (const base of ["/sdk", "/sdk/v0"]) {
    app.get(`${base}/sdk.js`, (request, reply) => send(request, reply, "sdk.js", CURRENT));
    app.get(`${base}/sdk.d.ts`, (request, reply) => send(request, reply, "sdk.d.ts", CURRENT));
    app.get<{ Params: { chunk: string } }>(`${base}/:chunk`, (request, reply) =>
      send(request, reply, CHUNK.test(request.params.chunk) ? request.params.chunk : "", IMMUTABLE),
    );
  }
  // The version that is built here, and earlier ones whose files are still in the folder.
  app.get<{ Params: { version: string; file: string } }>(
    // A version begins with a digit: `/sdk/v1/sessions` is no file.
    String.raw`/sdk/:version(^\d.*$)/:file`,
    async (request, reply) => {
      const { version, file } = request.params;
      const isCurrent = version === (await files.version());
      const kept = `sdk-${version}.js`;
      const script = isCurrent ? "sdk.js" : kept;
      if ((await files.find(script)) === undefined) return send(request, reply, "", IMMUTABLE);
      if (file === "integrity.json") return reply.send(await files.integrity(script));
      if (file === "importmap.json") {
        const integrity = Object.entries(await files.integrity(script))
          .filter(([name]) => CHUNK.test(name))
          .map(([name, hash]) => [`${publicUrl}/sdk/${version}/${name}`, hash]);
        return reply.send({ integrity: Object.fromEntries(integrity) });
      }
      if (file === "sdk.js") return send(request, reply, script, IMMUTABLE);
      return send(request, reply, isCurrent || CHUNK.test(file) ? file : "", IMMUTABLE);
    },
  );
}

const CHUNK = /^[a-z-]+\.([0-9a-f]{6,8})\.js$/;

/** The built files, read again when a new build has been written. */
class SdkFolder {
  readonly #folder: string;
  #builtAtMs = 0;
  #files: Promise<Map<string, SdkFile>> = Promise.resolve(new Map());

  readonly #onTampered: (name: string) => void;

  /** @param onTampered gets the name of a file that is left out, because it is not what was built. */
  constructor(folder: string, onTampered: (name: string) => void) {
    this.#folder = folder;
    this.#onTampered = onTampered;
  }

  isBuilt(): Promise<boolean> {
    return stat(join(this.#folder, "sdk.js")).then(
      () => true,
      () => false,
    );
  }

  async find(name: string): Promise<SdkFile | undefined> {
    return (await this.#current()).get(name);
  }

  /** Returns the version that the build wrote into sdk.js. */
  async version(): Promise<string | undefined> {
    const text = (await this.find("sdk.js"))?.bodies.identity.toString("utf8");
    return /version:["'`](\d+\.\d+\.\d+)/.exec(text ?? "")?.[1];
  }

  /** @param script the file that `sdk.js` stands for. Chunks of all builds are there: their names tell them apart. */
  async integrity(script: string): Promise<Record<string, string>> {
    const files = await this.#current();
    const named = [...files].filter(([name]) => !name.startsWith("sdk-"));
    return {
      ...Object.fromEntries(named.map(([name, { integrity }]) => [name, integrity])),
      "sdk.js": files.get(script)!.integrity,
    };
  }

  async #current(): Promise<Map<string, SdkFile>> {
    const builtAtMs = await stat(join(this.#folder, "sdk.js")).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (builtAtMs !== this.#builtAtMs) {
      this.#builtAtMs = builtAtMs;
      this.#files = builtAtMs === 0 ? Promise.resolve(new Map()) : this.#read();
    }
    return this.#files;
  }

  async #read(): Promise<Map<string, SdkFile>> {
    try {
      const files = await readFiles(this.#folder);
      for (const [name, file] of files) {
        if (isAsBuilt(name, file)) continue;
        this.#onTampered(name);
        files.delete(name);
      }
      return files;
    } catch (error) {
      // Read again at the next request: a moment's lack of file handles would last until the next build.
      this.#builtAtMs = Number.NaN;
      throw error;
    }
  }
}

/** A chunk is what the hash in its name says, and every compressed copy is of the same bytes. */
function isAsBuilt(name: string, { bodies: { identity, br, gzip } }: SdkFile): boolean {
  const hash = CHUNK.exec(name)?.[1];
  const isNamed =
    hash === undefined || createHash("sha256").update(identity).digest("hex").startsWith(hash);
  try {
    return (
      isNamed && brotliDecompressSync(br).equals(identity) && gunzipSync(gzip).equals(identity)
    );
  } catch {
    return false;
  }
}

async function readFiles(folder: string): Promise<Map<string, SdkFile>> {
  const names = (await readdir(folder)).filter((name) => /\.(?:js|ts)$/.test(name));
  const files = await Promise.all(
    names.map(async (name): Promise<[string, SdkFile]> => {
      const bodies = await readEncoded(join(folder, name));
      const digest = createHash("sha384").update(bodies.identity).digest("base64");
      return [
        name,
        {
          type: TYPES[name.slice(name.lastIndexOf(".") + 1)]!,
          digest: digest.slice(0, 24),
          integrity: `sha384-${digest}`,
          bodies,
        },
      ];
    }),
  );
  return new Map(files);
}
