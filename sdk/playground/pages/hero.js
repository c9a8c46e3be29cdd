import { call, raw } from "../code.js";
import { agentControls } from "./agent-controls.js";
import { colorControls, colorSettings } from "./color-controls.js";

const STYLES = {
  round: `.svc-hero-cta {
  border-radius: 999px;
}`,
  large: `.svc-hero-cta {
  padding: 14px 32px;
  font-size: 20px;
}`,
  framed: `.svc-hero-root {
  padding: 24px;
  border: 1px solid #cbd2da;
  border-radius: 20px;
}`,
};

export const hero = {
  id: "hero",
  name: "Hero",
  lead: "A block of your page with the agent's face and one strong button.",
  isBeside: () => true,
  controls: [
    {
      name: "height",
      label: "Height of the face",
      kind: "number",
      value: 240,
      from: 0,
      to: 480,
      step: 20,
      unit: "px",
      none: "fills",
    },
    {
      name: "width",
      label: "Width",
      kind: "number",
      value: 0,
      from: 0,
      to: 480,
      step: 20,
      unit: "px",
      none: "fills",
    },
    {
      name: "cta",
      label: "Text of the button",
      kind: "text",
      value: "",
      placeholder: "Start demo now",
    },
    ...colorControls,
    {
      name: "style",
      label: "Your own CSS",
      kind: "choice",
      value: "",
      group: "Look",
      options: [
        ["", "none"],
        ["round", "a round button"],
        ["large", "a larger button"],
        ["framed", "a frame around it"],
      ],
    },
    ...agentControls,
  ],
  code: (state) => ({
    style: STYLES[state.style],
    body: '<div id="hero"></div>',
    script: mount({
      width: state.width || undefined,
      height: state.height || undefined,
      ctaText: state.cta,
      ...colorSettings(state),
    }),
  }),
};

/** The line that puts it into the place above. */
export function mount(settings) {
  const place = 'const place = document.getElementById("hero");';
  return `${place}\n${call("Svc.hero.mount", raw("place"), settings)}`;
}
