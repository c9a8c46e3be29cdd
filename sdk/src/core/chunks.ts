import type * as AvatarChunk from "../avatar/index.ts";
import type * as CallChunk from "../call/index.ts";

/** What is loaded when it is needed. The call loads more, and knows it by itself. */
export interface Chunks {
  avatar: typeof AvatarChunk;
  call: typeof CallChunk;
}

/** What stands in their files' names, written in by the build. */
declare const CHUNK_HASHES: Record<keyof Chunks, string>;

export type LoadChunk = <Name extends keyof Chunks>(name: Name) => Promise<Chunks[Name]>;

/** Chunks lie beside sdk.js. `import()` passes a strict policy, where setting a script's `src` does not. */
export function chunkLoader(base: string): LoadChunk {
  const loading: Partial<Record<keyof Chunks, Promise<unknown>>> = {};
  return <Name extends keyof Chunks>(name: Name) =>
    (loading[name] ??= import(/* @vite-ignore */ `${base}${name}.${CHUNK_HASHES[name]}.js`).catch(
      (error: unknown) => {
        // A browser that was offline for a moment may ask again.
        delete loading[name];
        throw error;
      },
    )) as Promise<Chunks[Name]>;
}
