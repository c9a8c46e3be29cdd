import { call, raw } from "../code.js";
import { agentControls } from "./agent-controls.js";
import { colorControls, colorSettings } from "./color-controls.js";
import { mount } from "./hero.js";

const VALIDATORS = {
  at: `function validator(value) {
  return value.includes("@") || "An @ is missing.";
}`,
  work: `function validator(value) {
  const isPrivate = /@(gmail|outlook|yahoo)/.test(value);
  return !isPrivate || "Your work address, please.";
}`,
  server: `async function validator(value) {
  // Your own server could decide here.
  await new Promise((go) => setTimeout(go, 800));
  return value.endsWith(".com") || "Unknown to us.";
}`,
};

export const form = {
  id: "form",
  name: "Form",
  lead: "Asks for one thing before the demo starts. You decide what is a good answer.",
  isBeside: ({ entry }) => entry === "hero",
  controls: [
    {
      name: "entry",
      label: "In",
      kind: "choice",
      value: "widget",
      options: [
        ["widget", "Widget"],
        ["hero", "Hero"],
      ],
    },
    {
      name: "key",
      label: "Kept in the metadata as",
      kind: "text",
      value: "email",
      check: (value) => (value === "" ? "Without a key nothing is asked." : ""),
    },
    {
      name: "placeholder",
      label: "Placeholder",
      kind: "text",
      value: "",
      placeholder: "Enter your email",
    },
    { name: "title", label: "Title", kind: "text", value: "", placeholder: "Start your demo" },
    {
      name: "validator",
      label: "A good answer",
      kind: "choice",
      value: "at",
      options: [
        ["", "is anything but empty"],
        ["at", "has an @"],
        ["work", "is a work address"],
        ["server", "takes a moment to check"],
      ],
    },
    ...colorControls,
    ...agentControls,
  ],
  code: (state) => {
    const { entry, key, placeholder, title } = state;
    const validator = VALIDATORS[state.validator];
    const settings = {
      ...(entry === "hero" && { height: 200 }),
      ...colorSettings(state),
      collectData: {
        dataKey: key,
        placeholder,
        formTitle: title,
        validator: validator && raw("validator"),
      },
    };
    const show =
      entry === "hero"
        ? mount(settings)
        : `${call("Svc.widget.configure", settings)}\nSvc.widget.show();`;
    return {
      ...(entry === "hero" && { body: '<div id="hero"></div>' }),
      script: validator ? `${validator}\n${show}` : show,
    };
  },
};
