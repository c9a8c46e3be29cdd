import type * as AvatarChunk from "../avatar/index.ts";
import type * as CallChunk from "../call/index.ts";
import type * as FormChunk from "../form/check-form.ts";
import type * as PreflightChunk from "../preflight/preflight.ts";

/** The chunks that sdk.js loads on demand. The call loads further chunks by itself. */
export interface Chunks {
  avatar: typeof AvatarChunk;
  call: typeof CallChunk;
  form: typeof FormChunk;
  preflight: typeof PreflightChunk;
}

/** The hashes in the chunks' file names, written in by the build. */
declare const CHUNK_HASHES: Record<keyof Chunks, string>;

export type LoadChunk = <Name extends keyof Chunks>(name: Name) => Promise<Chunks[Name]>;

/**
 * Chunks lie beside sdk.js. `import()` passes a strict policy, where setting a script's `src` does not.
 * The browser keeps what it has loaded, and asks again for what failed.
 */
export function chunkLoader(base: string): LoadChunk {
  return (name) => import(/* @vite-ignore */ `${base}${name}.${CHUNK_HASHES[name]}.js`);
}
