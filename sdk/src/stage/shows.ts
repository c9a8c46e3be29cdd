import type { LiveAction, LivePage, LiveShown } from "@svc/contract/types";
import type { LaterWords, Texts } from "../call/call-options.ts";
import type { Frame } from "../call/frame.ts";
import { boxOf, comeFrom } from "../call/glide.ts";
import type * as ContentChunk from "../content/index.ts";
import type * as PlacesChunk from "../places/index.ts";
import { kit } from "../kit.ts";
import { stageSlides } from "./stage-slides.ts";
import type { StageSlides } from "./stage-slides.ts";

/** Written in by the build. */
declare const PLACES_HASH: string;

/** Something to look at, or for the page that the call is on. */
export type StageNews =
  | { content: LiveShown }
  | ((LivePage | LiveAction) & { content?: undefined });

/** Does what the server says, when it says so. */
export interface Shows {
  /** Rejects where what draws it cannot be loaded. */
  take(news: StageNews, isLarge?: boolean): Promise<void>;
}

/** @param seen All that was to be shown. Places are taken out of it: they are on the page, and not among the slides. */
export function createShows(
  { frame, texts }: { frame: Frame; texts: Texts },
  stage: HTMLElement,
  seen: LiveShown[],
  send: PlacesChunk.LightOptions["send"],
  loadContent: () => Promise<[typeof ContentChunk, LaterWords]>,
): Shows {
  const drawn = new Set<LiveShown>();
  let newest: LiveShown | undefined;
  let slides: StageSlides | undefined;
  let lights: PlacesChunk.PlaceLights | undefined;
  /** The visitor's last step in a tour, until the server knows of it. */
  let ahead: { id: string; cue: string } | undefined;

  function onStep(id: string, at: number): void {
    const cue = String(Math.random());
    ahead = { id, cue };
    send({ type: "step", id, at, cue });
  }

  async function onPage(): Promise<PlacesChunk.PlaceLights> {
    // It lies beside this chunk.
    const address = `./places.${PLACES_HASH}.js`;
    const chunk = (await import(/* @vite-ignore */ address)) as typeof PlacesChunk;
    const { content: words } = await texts.later();
    chunk.useKit(kit);
    return (lights ??= chunk.placeLights({ frame, send, stage, words }));
  }

  async function light(content: LiveShown): Promise<void> {
    seen.splice(seen.indexOf(content), 1);
    const { show } = await onPage();
    if (newest === content) show(content);
  }

  /** The first slide takes the place of the face, which moves to the tile above the conversation. */
  function makeRoom(): void {
    const face = stage.querySelector(".face")!;
    const from = boxOf(face.firstElementChild);
    stage.parentElement!.classList.add("shows");
    stage.nextElementSibling!.firstElementChild!.append(face);
    comeFrom(face.firstElementChild, from, "all");
  }

  return {
    async take(news, isLarge) {
      const { content } = news;
      if (content === undefined) return (await onPage()).take(news);
      // The agent's step crossed the visitor's, which is the later one for the server.
      if (!isLarge && ahead?.id === content.id && ahead.cue !== content.step?.cue) {
        seen.splice(seen.indexOf(content), 1);
        return;
      }
      ahead = undefined;
      newest = content;
      if (content.place) {
        // Without the chunk there is no light, and the model is told so.
        const { cue } = content.place;
        return light(content).catch(() => send({ type: "place_result", cue, state: "missing" }));
      }
      const loaded = await loadContent();
      lights?.putOut();
      if (!slides) makeRoom();
      slides ??= stageSlides(stage, frame, texts.strings, onStep, loaded);
      for (const one of seen) {
        // Those that could not be loaded before, and this one at last.
        if (one.place || one === content || drawn.has(one)) continue;
        drawn.add(one);
        slides.show(one);
      }
      drawn.add(content);
      slides.show(content, isLarge);
    },
  };
}
