import type { Moment } from "../avatar/index.ts";
import type { OpenCall } from "../call/index.ts";
import type { LoadChunk } from "./chunks.ts";
import { emit } from "./events.ts";
import { drawFace } from "./face.ts";
import { hint } from "./hint.ts";
import { chooseLanguage } from "./languages.ts";
import { encodeMetadata } from "./metadata.ts";
import { reasonOf } from "./service.ts";
import type { Service } from "./service.ts";
import { supportsCalls } from "./supports-calls.ts";

/** At most one call on a page: who asks for a second is shown the first. */
export interface Demos {
  start(
    config: SvcStartConfig | undefined,
    pageMetadata: object,
    /** By a form; wins over everything else. */
    collected?: Record<string, string>,
  ): Promise<SvcStartResult>;
  /** Loads what a start needs. */
  prepare(): void;
  /** Goes on with the call of the page before, if there was one. */
  resume(): void;
  end(): void;
}

/** The neutral face becomes the agent's own. With a `moment` to ask it lives, otherwise it stands still. */
export type Dress = (face: Element, moment?: () => Moment) => void;

export function createDemos(
  service: Service,
  load: LoadChunk,
  notice: () => string | undefined,
  dress: Dress,
): Demos {
  let call: OpenCall | undefined;
  let opening = false;

  async function open(
    metadata: Record<string, string>,
    language: string | undefined,
    resume: boolean,
  ): Promise<SvcStartResult> {
    const [{ openCall }, agent] = await Promise.all([load("call"), service.facts()]);
    const offered = agent.languages.map(({ code }) => code);
    const wanted = language === undefined ? navigator.languages : [language];
    call = await openCall({
      service,
      agent,
      metadata,
      language: chooseLanguage(offered, wanted, agent.default_language),
      notice: notice(),
      resume,
      drawFace,
      dress,
      emit,
      onClosed: () => {
        call = undefined;
        emit("closed", {});
      },
    });
    if (call !== undefined) emit("open", {});
    return { opened: true };
  }

  return {
    prepare: () => void load("call").catch(() => {}),
    async start(config, pageMetadata, collected) {
      if (call !== undefined || opening) {
        call?.focus();
        return { opened: false, reason: "already_open" };
      }
      opening = true;
      try {
        const { metadata: given, sessionData, language } = config ?? {};
        if (sessionData !== undefined) hint("sessionData is deprecated. Use metadata.");
        const metadata = encodeMetadata(pageMetadata, sessionData, given, collected);
        if (typeof metadata === "string") {
          hint(metadata);
          return { opened: false, reason: "metadata_too_large" };
        }
        if (!supportsCalls()) return { opened: false, reason: "unsupported_browser" };
        return await open(metadata, language, false);
      } catch (error) {
        const reason = reasonOf(error);
        hint(`The demo could not be opened: ${reason}.`);
        return { opened: false, reason };
      } finally {
        opening = false;
      }
    },
    resume() {
      try {
        if (sessionStorage.getItem("svc-call") === null) return;
      } catch {
        return; // Storage is blocked.
      }
      opening = true;
      open({}, undefined, true)
        .catch(() => {})
        .finally(() => {
          opening = false;
        });
    },
    end: () => call?.end(),
  };
}
