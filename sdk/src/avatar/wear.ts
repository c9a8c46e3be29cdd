import type { AgentFacts, AgentPicture } from "@svc/contract/types";
import { createLife } from "./life.ts";
import type { Moment } from "./life.ts";
import { animate } from "./loop.ts";
import { drawRig, REST } from "./rig.ts";

/**
 * Replaces the silhouette with the agent's own. With `moment`, it moves while it is visible;
 * otherwise it stands still.
 */
export function wear(face: Element, avatar: AgentFacts["avatar"], moment?: () => Moment): void {
  const calm = matchMedia("(prefers-reduced-motion)");
  if (typeof avatar !== "string") return showPicture(face, avatar, !!moment && !calm.matches);
  const neutral = face.firstElementChild!;
  const rig = drawRig(neutral, avatar);
  rig.pose(REST);
  face.append(rig.element);
  rig.element.animate({ opacity: [0, 1] }, calm.matches ? 0 : 320).onfinish = () =>
    neutral.remove();
  if (!moment) return;
  const live = createLife(face, calm);
  animate(face, (now) => rig.pose(live(now, moment())));
}

/** Replaces the face with the customer's own picture once it has loaded. If it cannot be loaded, the silhouette stays. */
function showPicture(
  face: Element,
  { poster_url: poster, loop_url }: AgentPicture,
  isLively: boolean,
): void {
  const loop = isLively && loop_url;
  const shown = document.createElement(loop ? "video" : "img");
  shown.addEventListener(loop ? "loadedmetadata" : "load", () => {
    for (const { name, value } of face.attributes) shown.setAttribute(name, value);
    face.replaceWith(shown);
  });
  const src = loop || poster;
  Object.assign(shown, { muted: true, loop: true, autoplay: true, playsInline: true, poster, src });
}
