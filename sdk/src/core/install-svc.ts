import { answerWaiting } from "./answer-waiting.ts";
import type { WaitingCalls } from "./answer-waiting.ts";
import { chunkLoader } from "./chunks.ts";
import { hint, off, on } from "./events.ts";
import type { Dress } from "./face.ts";
import { createHero } from "./hero/hero.ts";
import type { Entry } from "./hero/hero.ts";
import { cannotBeEncoded, encodeMetadata, metadataOf } from "./metadata.ts";
import { previewToken } from "./preview-token.ts";
import { createService, reasonOf } from "./service.ts";
import { createDemos } from "./start-demo.ts";
import { trackButtonView } from "./track-button-view.ts";
import { createWidget } from "./widget/widget.ts";

/** Written in by the build. */
declare const VERSION: string;

/** Puts `Svc` on the page. A second copy of the script does nothing. */
export function installSvc(): void {
  const before = window.Svc as (Partial<SvcSDK> & { waiting?: WaitingCalls }) | undefined;
  if (before?.version !== undefined) return;

  const script = document.currentScript ?? document.getElementById("svc-sdk");
  const base = new URL(".", (script as HTMLScriptElement | null)?.src || location.href).href;
  const service = createService(serviceUrl(base), agentOf(window.SvcConfig, base));
  // Now, because the address is shown to and read by others until then.
  previewToken();
  const load = chunkLoader(base);
  const dress: Dress = (face, moment) =>
    Promise.all([load("avatar"), service.facts()]).then(
      ([{ wear }, { avatar, brand, theme }]) => {
        wear(face, avatar, moment, brand.colors?.primary).catch(() => {});
        return theme;
      },
      () => undefined, // The silhouette stays.
    );
  const demos = createDemos(service, load, () => window.SvcConfig?.recordingNotice, dress);
  let metadata: object = {};
  const all: SvcActions[] = [];

  const setMetadata = (given: SvcMetadata): void => {
    try {
      // A copy, so that later changes of the page's object have no effect.
      metadata = { ...(metadataOf(given, "setMetadata") ?? metadata) };
      const key = encodeMetadata(metadata);
      if (typeof key === "string") hint(cannotBeEncoded(key));
    } catch {
      hint("setMetadata could not read the object.");
    }
  };

  const unreachable = (): void => hint("The service could not be reached.");
  const entry = (name: "widget" | "hero"): Entry => ({
    start(collected) {
      if (collected) service.count("form", name);
      void demos.start({}, metadata, name, collected);
    },
    loadForm: () => load("form").catch(unreachable),
    prepare: demos.prepare,
    dress,
  });
  const svc: SvcSDK = {
    version: VERSION,
    ready: Promise.resolve(),
    startDemo: (config) => demos.start(config, metadata, "modal"),
    setMetadata,
    setSessionData(given) {
      hint("setSessionData is deprecated. Use setMetadata.");
      setMetadata(given);
    },
    trackButtonView: (element) =>
      trackButtonView(element, () => service.count("button_viewed", "modal")),
    async getLanguages() {
      try {
        return await (await load("preflight")).languagesOf(service);
      } catch (error) {
        hint(`getLanguages found none: ${reasonOf(error)}.`);
        return [];
      }
    },
    async checkClient() {
      try {
        return await (await load("preflight")).eligibilityOf(service);
      } catch (error) {
        return { allowed: false, reason: reasonOf(error) };
      }
    },
    endDemo: () => demos.end(),
    widget: guarded(createWidget(entry("widget"))),
    hero: guarded(createHero(entry("hero"))),
    // Read by the chunk that is loaded for an agent with actions.
    actions: { all, register: (given: SvcActions) => void all.push(given) } as SvcPageActions,
    on,
    off,
  };
  window.Svc = svc;
  answerWaiting(before?.waiting ?? [], svc);
  void demos.resume();
  // A page that the browser has kept comes back as it was left, and the call of the page after it goes on there.
  addEventListener("pageshow", demos.resume);
}

/** `https://host/sdk/` and `https://host/sdk/v0/` both belong to `https://host`. */
function serviceUrl(base: string): string {
  return base.replace(/\/sdk\/(?:[^/]+\/)?$/, "").replace(/\/$/, "");
}

function agentOf(config: Window["SvcConfig"], base: string): string {
  const { agentId, clientId } = (config ?? {}) as Partial<SvcConfig & SvcEarlierConfig>;
  if (agentId) return String(agentId);
  if (!clientId) hint("Set window.SvcConfig.agentId before the script is loaded.");
  else if (!base.endsWith("/v0/")) hint("clientId is of an earlier bootstrap. Use agentId.");
  return String(clientId ?? "");
}

/** Reports errors of these methods in the console instead of throwing them into the page. */
function guarded<Methods extends object>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      try {
        (method as (...args: unknown[]) => void)(...args);
      } catch (error) {
        hint(`${name} did not work: ${String(error)}`);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Methods;
}
