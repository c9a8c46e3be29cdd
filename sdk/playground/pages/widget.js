import { call } from "../code.js";
import { agentControls } from "./agent-controls.js";
import { colorControls, colorSettings } from "./color-controls.js";

const DEFAULT_PLACE = "bottom-right";

export const widget = {
  id: "widget",
  name: "Widget",
  lead: "A small card that floats at an edge of the page, or a round face once it was collapsed.",
  controls: [
    {
      name: "position",
      label: "Position",
      kind: "place",
      value: DEFAULT_PLACE,
      options: [
        "top-left",
        "top-center",
        "top-right",
        "left-center",
        "right-center",
        "bottom-left",
        "bottom-center",
        DEFAULT_PLACE,
      ].map((place) => [place, place]),
    },
    {
      name: "state",
      label: "State",
      kind: "choice",
      value: "expanded",
      options: [
        ["expanded", "Card"],
        ["collapsed", "Round face"],
      ],
    },
    {
      name: "cta",
      label: "Text of the button",
      kind: "text",
      value: "",
      placeholder: "Talk to an agent",
    },
    ...colorControls,
    ...agentControls,
  ],
  code: (state) => {
    const { position, cta } = state;
    const settings = call("Svc.widget.configure", {
      position: position === DEFAULT_PLACE ? undefined : position,
      ctaText: cta,
      ...colorSettings(state),
    });
    return {
      script: [
        settings !== "Svc.widget.configure();" && settings,
        state.state === "collapsed" && "Svc.widget.collapse();",
        "Svc.widget.show();",
      ]
        .filter(Boolean)
        .join("\n"),
    };
  },
};
