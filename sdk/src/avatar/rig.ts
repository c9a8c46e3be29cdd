/** The position of every part at one moment. Lengths are in the box of 320 by 320. */
export interface Pose {
  /** How far the head is down, and how far it leans, in degrees. */
  y: number;
  tilt: number;
  /** How far the chest has sunk. */
  breath: number;
  /** The eyes, from about -1, left and up, to 1. */
  gazeX: number;
  gazeY: number;
  /** 1: wide open. */
  lids: number;
  /** How far the brows are lifted. */
  lift: number;
  /** 1: at rest. */
  smile: number;
  /** The mouth, from 0 to 1. */
  open: number;
  /** The mouth, from -1, round, to 1, spread. */
  wide: number;
  /** How far the light in the orb has turned, in degrees. */
  phase: number;
}

export const REST: Pose = {
  y: 0,
  tilt: 0,
  breath: 0,
  gazeX: 0,
  gazeY: 0,
  lids: 1,
  lift: 0,
  smile: 1,
  open: 0,
  wide: 0,
  phase: 0,
};

/** A drawn figure that can be moved. */
export interface Rig {
  element: Element;
  pose(pose: Pose): void;
}

/** What the brand's colour is mixed with: black, white, or the paper that the face is on. */
const MIXED: Record<string, string> = { b: "#123", w: "#fff", p: "var(--svc-paper,#fff)" };
let drawn = 0;

/** Draws a person over the silhouette. Outlines that the person does not define come from the silhouette. */
export function drawRig(silhouette: Element, persona: string): Rig {
  const id = `svc-face-${(drawn += 1)}-`;
  const make = (tag: string, part: string, attributes: object): Element => {
    const made = document.createElementNS(silhouette.namespaceURI, tag);
    put(made, "class", `svc-hero-${part}`);
    for (const [name, value] of Object.entries(attributes)) put(made, name, value as string);
    return made;
  };
  const paint = (color: string): string =>
    color[0] === "#"
      ? color
      : /\d$/.test(color)
        ? `color-mix(in oklab,var(--svc-accent,#0f766e) ${color.slice(1)}%,${MIXED[color[0]!]})`
        : `url(#${id}${color})`;

  const element = make("g", "shapes", {
    fill: "#9bb",
    "stroke-linecap": "round",
    "clip-path": `url(#${id}ground)`,
  });
  /** From the back to the front. The shapes of a layer move together. */
  const layers: Record<string, Element> = {};
  for (const name of "g0123456789bmht") {
    layers[name] = make("g", "layer", {});
    element.append(layers[name]);
  }
  let lids: Element | undefined;
  for (const line of persona.split("\n")) {
    const [layer = "", part = "", color = "", outline, width] = line.split(" ");
    if (layer === "g") {
      const [x1, y1, x2, y2] = outline?.split(",") ?? [];
      const gradient = make(y2 ? "linearGradient" : "radialGradient", "paint", {
        id: id + part,
        ...(y2 ? { x1, y1, x2, y2 } : x2 && { cx: x1!.slice(1), cy: y1, r: x2 }),
      });
      color
        .split(",")
        .forEach((stop, index, all) =>
          gradient.append(
            make("stop", "paint", { offset: index / (all.length - 1), "stop-color": paint(stop) }),
          ),
        );
      layers[layer]!.append(gradient);
      continue;
    }
    const like = silhouette.querySelector(`.svc-hero-${part}`)?.getAttribute("d");
    const d = outline || like || "";
    const shape = make("path", part, {
      d,
      fill: width ? "none" : paint(color),
      stroke: width ? paint(color) : "none",
      ...(width && { "stroke-width": width }),
    });
    const both = [shape];
    if (d[0] === "m") {
      const right = shape.cloneNode() as Element;
      put(right, "transform", "matrix(-1 0 0 1 320 0)");
      both.push(right);
    }
    layers[layer]!.append(...both);
    if (!/^(?:ground|head|white)$/.test(part)) continue;
    const clip = make("clipPath", "clip", { id: id + part });
    clip.append(...both.map((one) => one.cloneNode()));
    layers["g"]!.append(clip);
    if (part === "white") lids = clip;
  }
  put(layers["5"]!, "clip-path", `url(#${id}head)`);
  // The eyes move behind their lids: the group is clipped, and what moves is in it.
  const gaze = make("g", "layer", {});
  gaze.append(...layers["7"]!.children);
  layers["7"]!.append(gaze);
  put(layers["7"]!, "clip-path", `url(#${id}white)`);
  const mouth = [...layers["m"]!.children];

  return {
    element,
    pose(pose) {
      const { y, tilt, breath, gazeX, gazeY, lift } = pose;
      const turn = at`translate(${1.6 * gazeX} ${y + breath / 2}) rotate(${tilt} 160 232)`;
      const look = turn + at`translate(${1.6 * gazeX} ${1.6 * gazeY})`;
      const blink = look + at`translate(0 ${153 * (1 - pose.lids)}) scale(1 ${pose.lids})`;
      const sink = at`translate(0 ${breath})`;
      const moves: Record<string, string> = {
        1: turn,
        2: sink,
        3: sink,
        4: turn,
        5: turn,
        6: blink,
        8: blink,
        9: look,
        b: look + at`translate(0 ${-lift})`,
        m: look,
        h: look,
        t: turn,
      };
      for (const name in moves) put(layers[name]!, "transform", moves[name]!);
      if (lids) put(lids, "transform", blink);
      put(gaze, "transform", look + at`translate(${3 * gazeX} ${2.4 * gazeY})`);
      if (mouth[0]) mouthOf(pose).forEach((d, index) => put(mouth[index]!, "d", d));
    },
  };
}

/** The outlines of the mouth: lips, inside, tongue, teeth, the line between the lips, the light on them. */
function mouthOf({ smile, open, wide }: Pose): string[] {
  const half = 20 + 4.5 * wide + smile;
  const bow = 7 * smile * (1 - open);
  const left = 160 - half;
  const top = 193 - 2 * smile - 4 * open;
  const depth = 30 * open;
  /** From corner to corner `upper` below the closed mouth, and back `lower` below it. */
  const between = (upper: number, lower: number): string => {
    // Deep mouths are round, not pointed.
    const round = half * (0.5 - lower / 50);
    return at`M${left},${top}c${half / 2},${bow + upper},${1.5 * half},${bow + upper},${2 * half},0c${-round},${bow + lower},${round - 2 * half},${bow + lower},${-2 * half},0z`;
  };
  const middle = top + 0.75 * bow;
  const lower = bow + depth + 12;
  const round = half * (0.4 - depth / 60);
  return [
    at`M${left},${top}C${160 - half / 2},${middle - 3},154,${middle - 8},160,${middle - 5.5}C166,${middle - 8},${160 + half / 2},${middle - 3},${160 + half},${top}c${-round},${lower},${round - 2 * half},${lower},${-2 * half},0z`,
    between(0, depth),
    between(0.66 * depth, depth),
    between(0, 0.34 * depth),
    at`M${left - 1.5},${top - 1}C${160 - half / 2},${top + bow},${160 + half / 2},${top + bow},${161.5 + half},${top - 1}`,
    at`M154,${top + 0.75 * (bow + depth) + 5.5}q6,1.500,12,0`,
  ];
}

/** Skips unchanged values, which the browser would paint again. */
function put(shape: Element, name: string, value: string): void {
  if (shape.getAttribute(name) !== value) shape.setAttribute(name, value);
}

/** Rounds to a tenth of a unit, which is less than is visible. */
function at(strings: TemplateStringsArray, ...values: number[]): string {
  return String.raw(strings, ...values.map((value) => value.toFixed(1)));
}
