import type { AgentFacts, AgentPicture } from "@svc/contract/types";
import { createLife } from "./life.ts";
import type { Moment } from "./life.ts";
import { animate } from "./loop.ts";
import type { livingOrb } from "./orb.ts";
import { drawRig, REST } from "./rig.ts";
import type { Rig } from "./rig.ts";

/** The drawing of one persona. The orb's also moves by itself. */
interface FaceChunk {
  persona: string;
  livingOrb?: typeof livingOrb;
}

/** What stands in the names of the personas' files, written in by the build. */
declare const FACE_HASHES: Record<string, string>;

/**
 * Replaces the silhouette with the agent's own face, in the brand's colour where the page has set none. With
 * `moment`, it moves while it is visible; otherwise it stands still.
 */
export async function wear(
  face: SVGElement,
  avatar: AgentFacts["avatar"],
  moment?: () => Moment,
  primary = "",
): Promise<void> {
  const calm = matchMedia("(prefers-reduced-motion)");
  if (!getComputedStyle(face).getPropertyValue("--svc-accent"))
    face.style.setProperty("--svc-accent", primary);
  const { element, pose } =
    typeof avatar === "string"
      ? await drawPersona(face, avatar, !!moment, calm.matches)
      : await showPicture(face, avatar, !!moment && !calm.matches);
  if (!moment) return;
  const live = createLife(element, calm);
  animate(element, (now) => {
    const { state, analyser } = moment();
    const next = live(now, { state, analyser });
    if (!next) return false;
    pose(next);
    if (state) {
      // A ring inside the edge, where nothing around it can cut it.
      const width = Math.max(1.5, (element.clientWidth * (1 + next.open)) / 64).toFixed(1);
      const line = state === "thinking" ? "dotted" : "solid";
      element.style.outline = `${width}px ${line} var(--svc-accent,#0f766e)`;
      element.style.outlineOffset = `-${width}px`;
      element.style.borderRadius = "50%";
    }
    return true;
  });
}

/** What stands in the face's place, or the face itself. */
interface Figure {
  element: HTMLElement | SVGElement;
  pose: Rig["pose"];
}

async function drawPersona(
  face: SVGElement,
  name: string,
  isLively: boolean,
  isCalm: boolean,
): Promise<Figure> {
  const url = new URL(`face-${name}.${FACE_HASHES[name]}.js`, import.meta.url).href;
  const { persona, livingOrb } = (await import(/* @vite-ignore */ url)) as FaceChunk;
  const living = isLively && livingOrb?.(face);
  if (living) {
    living.pose(REST);
    takePlace(face, living.element);
    return living;
  }
  const silhouette = face.firstElementChild!;
  const { element, pose } = drawRig(silhouette, persona);
  pose(REST);
  face.append(element);
  element.animate({ opacity: [0, 1] }, isCalm ? 0 : 320).onfinish = () => silhouette.remove();
  return { element: face, pose };
}

/** Replaces the face with the customer's own picture once it has loaded. If it cannot be loaded, the silhouette stays. */
function showPicture(
  face: SVGElement,
  { poster_url: poster, loop_url }: AgentPicture,
  isLively: boolean,
): Promise<Figure> {
  const loop = isLively && loop_url;
  const element = document.createElement(loop ? "video" : "img");
  const src = loop || poster;
  return new Promise((resolve) => {
    element.addEventListener(loop ? "loadeddata" : "load", () => {
      takePlace(face, element);
      resolve({ element, pose() {} });
    });
    const shown = { muted: true, loop: true, autoplay: true, playsInline: true, poster, src };
    Object.assign(element, shown);
  });
}

function takePlace(face: SVGElement, element: HTMLElement): void {
  for (const { name, value } of face.attributes) element.setAttribute(name, value);
  element.style.cssText = face.style.cssText;
  face.replaceWith(element);
}
