import type { RuleTester } from "oxlint/plugins-dev";

/** A lint rule of our own, as oxlint's `jsPlugins` takes it. */
export type Rule = Exclude<Parameters<RuleTester["run"]>[1], { createOnce: unknown }>;
