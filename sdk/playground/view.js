/** How the preview is looked at. No part of the code that is shown. */
export const VIEW = [
  {
    name: "size",
    label: "Size",
    kind: "choice",
    value: "desktop",
    options: [
      ["desktop", "Desktop"],
      ["phone", "Phone"],
    ],
  },
  {
    name: "theme",
    label: "Light or dark",
    kind: "choice",
    value: "",
    options: [
      ["", "Auto"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  },
];
