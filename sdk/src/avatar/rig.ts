import { PERSONAS } from "./personas.ts";

/** The position of every part at one moment. Lengths are in the box of 200 by 200. */
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
};

/** A drawn figure that can be moved. */
export interface Rig {
  element: Element;
  pose(pose: Pose): void;
}

/** Draws a persona over the neutral face. Outlines that the persona does not define come from the neutral face. */
export function drawRig(neutral: Element, name: string): Rig {
  const copy = (shape: Element): Element => shape.cloneNode() as Element;
  const persona = PERSONAS[name]!;
  const [ground, skin, brows, top, lips] = persona.split(/\s/);
  const isFace = ground![0] === "#";
  const everybody = `0 ground ${ground}
2 shoulders ${top}
2 neck ${skin}
2 shade #5203 M83,126h34v16q-17,15-34,0z
3 head ${skin}
3 shade #5203 M139,103c-6,20-20,35-39,35q27-8,39-35z
3 cheeks ${lips}3 m74,106h3 14
4 nose #5206  3
4 inside #622
4 teeth #fff
4 mouth ${lips}  3
4 brows ${brows}  3.6
5 eyes #211  8
5 light #fff M84,88h0m34,0h0 3
`;
  const lines = ((isFace ? everybody : "") + persona).split("\n");
  const element = copy(neutral);
  /** From the back to the front. The shapes of a layer move together. */
  const layers = [0, 1, 2, 3, 4, 5, 6, 7].map((layer) => {
    const group = copy(neutral);
    for (const line of lines) {
      const [place, part, color, outline, width] = line.split(" ");
      if (place !== `${layer}`) continue;
      const like = neutral.querySelector(`.svc-hero-${part}`);
      const shape = copy(like ?? neutral[width ? "lastElementChild" : "firstElementChild"]!);
      put(shape, "class", `svc-hero-${part}`);
      put(shape, width ? "stroke" : "fill", color!);
      if (width) put(shape, "stroke-width", width);
      if (outline) put(shape, "d", outline);
      group.append(shape);
      if (outline?.[0] !== "m") continue;
      const right = copy(shape);
      put(right, "transform", "matrix(-1 0 0 1 200 0)");
      group.append(right);
    }
    element.append(group);
    return group;
  });
  const [, inside, teeth, mouth, brow] = layers[4]!.children as unknown as Element[];

  return {
    element,
    pose({ y, tilt, breath, gazeX, gazeY, lids, lift, smile, open, wide }) {
      // An orb has no mouth: it swells.
      const swell = isFace ? 0 : open / 4;
      const turn = at`translate(${gazeX} ${y + breath / 2}) rotate(${tilt} 100 140)`;
      const look =
        turn + at`translate(${gazeX - 100 * swell} ${gazeY - 100 * swell}) scale(${1 + swell})`;
      const blink = look + at`translate(${gazeX} ${gazeY + 90 * (1 - lids)}) scale(1 ${lids})`;
      ["", turn, at`translate(0 ${breath})`, turn, look, blink, look, turn].forEach((move, index) =>
        put(layers[index]!, "transform", move),
      );
      if (!isFace) return;
      const half = 12.5 + 3 * wide;
      const bow = 8 * smile * (1 - open);
      /** The upper lip from corner to corner, and back `depth` lower: a line when it is 0. */
      const curve = (depth: number): string => {
        // Deep mouths are round, not pointed.
        const round = half * (0.5 - depth / 60);
        return at`M${100 - half},${116 - 3 * open}c${half / 2},${bow},${1.5 * half},${bow},${2 * half},0c${-round},${bow + depth},${round - 2 * half},${bow + depth},${-2 * half},0z`;
      };
      put(brow!, "transform", at`translate(0 ${-lift})`);
      put(inside!, "d", curve(24 * open));
      put(mouth!, "d", curve(24 * open));
      put(teeth!, "d", curve(8 * open));
    },
  };
}

/** Skips unchanged values, which the browser would paint again. */
function put(shape: Element, name: string, value: string): void {
  if (shape.getAttribute(name) !== value) shape.setAttribute(name, value);
}

/** Rounds to a tenth of a unit, which is less than is visible. */
function at(strings: TemplateStringsArray, ...values: number[]): string {
  return String.raw(strings, ...values.map((value) => value.toFixed(1)));
}
