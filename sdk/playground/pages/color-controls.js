export const SWATCHES = ["#0f766e", "#1d4ed8", "#b42318", "#b45309", "#14181f"];

/** Of the entry itself, as the page's own code sets them. */
export const colorControls = [
  {
    name: "primary",
    label: "Primary colour",
    kind: "color",
    value: "",
    swatches: SWATCHES,
    group: "Look",
  },
  {
    name: "text",
    label: "Text on it",
    kind: "color",
    value: "",
    swatches: ["#14181f", "#fde68a"],
    group: "Look",
  },
];

export function colorSettings({ primary, text }) {
  return { primaryColor: primary, textColor: text };
}
