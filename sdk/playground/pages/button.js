import { call, escapeHtml } from "../code.js";
import { agentControls } from "./agent-controls.js";
import { languageControl } from "./language-control.js";

export const button = {
  id: "button",
  name: "Button",
  lead: "Any button of yours opens the demo over the page. Press it.",
  controls: [
    { name: "label", label: "Text", kind: "text", value: "See a demo" },
    languageControl("Language"),
    {
      name: "notice",
      label: "Recording notice",
      kind: "lines",
      value: "",
      placeholder: "the agent's own",
    },
    { name: "check", label: "Hide it while no demo can start", kind: "switch", value: false },
    { name: "track", label: "Count who sees it", kind: "switch", value: false },
    ...agentControls,
  ],
  code: ({ label, language, notice, check, track }) => ({
    config: { recordingNotice: notice },
    body: `<button id="demo">${escapeHtml(label)}</button>`,
    script: [
      `const button = document.getElementById("demo");`,
      `button.onclick = () => ${call("Svc.startDemo", { language })}`,
      track && "Svc.trackButtonView(button);",
      check && "const { allowed } = await Svc.checkClient();\nbutton.hidden = !allowed;",
    ]
      .filter(Boolean)
      .join("\n"),
  }),
};
