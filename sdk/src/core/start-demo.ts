import type { FunnelEntry } from "@svc/contract/types";
import type { CallOptions, OpenCall } from "../call/index.ts";
import type { LoadChunk } from "./chunks.ts";
import { emit, hint } from "./events.ts";
import type { Dress } from "./face.ts";
import { KIT } from "./kit.ts";
import { encodeMetadata, metadataOf } from "./metadata.ts";
import { reasonOf } from "./service.ts";
import type { Service } from "./service.ts";

/** Keeps at most one call on a page. A second start focuses the open one. */
export interface Demos {
  start(
    config: SvcStartConfig | undefined,
    pageMetadata: object,
    entry: FunnelEntry,
    /** The values that a form collected. They override all others. */
    collected?: Record<string, string>,
  ): Promise<SvcStartResult>;
  /** Loads what a start needs. */
  prepare(): void;
  /** Continues the call of the previous page, if there was one. */
  resume(): Promise<void>;
  end(): void;
}

export function createDemos(
  service: Service,
  load: LoadChunk,
  notice: () => unknown,
  dress: Dress,
): Demos {
  let call: OpenCall | undefined;
  let opening = false;

  async function open(
    metadata: CallOptions["metadata"],
    language: string | undefined,
    resume: boolean,
    entry?: FunnelEntry,
  ): Promise<SvcStartResult> {
    const [{ openCall }, agent] = await Promise.all([load("call"), service.facts()]);
    const opened = await openCall({
      service,
      agent,
      metadata,
      languages: language === undefined ? navigator.languages : [language],
      notice: notice(),
      resume,
      entry,
      kit: KIT,
      dress,
      emit,
      onClosed: () => {
        call = undefined;
        emit("closed", {});
      },
    });
    if (typeof opened === "string") return { opened: false, reason: opened };
    call = opened;
    if (call !== undefined) emit("open", {});
    return { opened: true };
  }

  return {
    prepare: () => void load("call").catch(() => {}),
    async start(config, pageMetadata, entry, collected) {
      if (call !== undefined || opening) {
        call?.focus();
        return { opened: false, reason: "already_open" };
      }
      opening = true;
      try {
        const { metadata: given, sessionData, language } = config ?? {};
        if (sessionData !== undefined) hint("sessionData is deprecated. Use metadata.");
        return await open(
          encodeMetadata(
            pageMetadata,
            metadataOf(sessionData, "startDemo's sessionData"),
            metadataOf(given, "startDemo's metadata"),
            collected,
          ),
          language,
          false,
          entry,
        );
      } catch (error) {
        const reason = reasonOf(error);
        hint(`The demo could not be opened: ${reason}.`);
        return { opened: false, reason };
      } finally {
        opening = false;
      }
    },
    async resume() {
      try {
        if (call !== undefined || opening || sessionStorage.getItem("svc-call") === null) return;
        opening = true;
        await open({}, undefined, true);
      } catch {
        // Storage is blocked, or the service cannot be reached: there is no call to go on with.
      }
      opening = false;
    },
    end: () => call?.end(),
  };
}
