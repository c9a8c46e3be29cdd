import type { AgentPicture } from "@svc/contract/types";

/** The owner's own picture in place of the face, once it is there. Where it cannot be loaded the neutral face stays. */
export function showPicture(
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
