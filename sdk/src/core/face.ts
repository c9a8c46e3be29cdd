const SVG = "http://www.w3.org/2000/svg";

/**
 * A neutral face, the first frame of every persona: shapes in the order of painting, each with its
 * attributes. Drawn in a box of 200 by 200.
 */
const SHAPES: [tag: string, part: string, attributes: string][] = [
  ["circle", "ground", "cx=100 cy=100 r=100 fill=#dfeceb"],
  [
    "path",
    "shoulders",
    "d=M37,178c8,-20,34,-28,63,-28s55,8,63,28a100,100,0,0,1,-126,0z fill=#0f766e",
  ],
  ["path", "collar", "d=M76,152l24,20,24,-20v-12h-48z fill=#f4f7f7"],
  ["path", "neck", "d=M82,124h36v26c-10,12,-26,12,-36,0z fill=#e2b394"],
  [
    "path",
    "head",
    "d=M54,84c0,-34,20,-52,46,-52s46,18,46,52c0,36,-20,62,-46,62s-46,-26,-46,-62z fill=#f0c8a8",
  ],
  [
    "path",
    "hair",
    "d=M50,88c-6,-46,20,-66,52,-66s56,22,48,66c-6,-16,-14,-26,-24,-32c-16,12,-40,14,-58,8c-8,6,-14,12,-18,24z fill=#4a3a33",
  ],
  ["ellipse", "eye", "cx=82 cy=88 rx=4.6 ry=5.6 fill=#2b2b33"],
  ["ellipse", "eye", "cx=118 cy=88 rx=4.6 ry=5.6 fill=#2b2b33"],
  [
    "path",
    "brow",
    "d=M73,75c5,-4,12,-4,17,-1 fill=none stroke=#4a3a33 stroke-width=3.4 stroke-linecap=round",
  ],
  [
    "path",
    "brow",
    "d=M110,74c5,-3,12,-3,17,1 fill=none stroke=#4a3a33 stroke-width=3.4 stroke-linecap=round",
  ],
  [
    "path",
    "nose",
    "d=M100,92c3,8,3,12,-2,14 fill=none stroke=#d39d7b stroke-width=3 stroke-linecap=round",
  ],
  [
    "path",
    "mouth",
    "d=M85,119c8,9,22,9,30,0 fill=none stroke=#a34a46 stroke-width=3.6 stroke-linecap=round",
  ],
];

/** The face as a picture with a name. Every shape has a class of its own, so that a page can style it. */
export function drawFace(label: string): Element {
  const face = shape("svg", "placeholder", "viewBox=0_0_200_200 role=img");
  face.setAttribute("aria-label", label);
  for (const [tag, part, attributes] of SHAPES) face.append(shape(tag, part, attributes));
  return face;
}

function shape(tag: string, part: string, attributes: string): Element {
  const made = document.createElementNS(SVG, tag);
  made.setAttribute("class", `svc-hero-${part}`);
  for (const attribute of attributes.split(" ")) {
    const at = attribute.indexOf("=");
    made.setAttribute(attribute.slice(0, at), attribute.slice(at + 1).replaceAll("_", " "));
  }
  return made;
}
