import { call } from "../code.js";
import { agentControls } from "./agent-controls.js";
import { languageControl } from "./language-control.js";

export const theCall = {
  id: "call",
  name: "The call",
  lead: "What a visitor sees, moment by moment. The conversation here is played; the screens are the real ones.",
  controls: [
    {
      name: "moment",
      label: "Moment",
      kind: "choice",
      value: "slide",
      options: [
        ["notice", "before it starts"],
        ["greeting", "the first words"],
        ["thinking", "the agent thinks"],
        ["slide", "a slide is shown"],
        ["replies", "ready answers"],
        ["email", "an address is asked for"],
        ["person", "a person is offered"],
        ["time", "time runs out"],
        ["lost", "the network is lost"],
        ["ended", "it is over"],
      ],
    },
    languageControl("Language of the screens"),
    ...agentControls,
  ],
  script: "scripted-call.js",
  trial: ({ moment, language }) => ({
    moment,
    opens: moment === "notice" ? "notice" : "talk",
    languages: language === "" ? undefined : [language],
  }),
  code: ({ language }) => ({
    body: '<button id="demo">See a demo</button>',
    script: `const button = document.getElementById("demo");\nbutton.onclick = () => ${call("Svc.startDemo", { language })}`,
  }),
};
