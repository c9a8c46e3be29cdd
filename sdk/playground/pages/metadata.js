import { call } from "../code.js";

const KNOWN = '{\n  "plan": "trial",\n  "email": "dana@example.com"\n}';
const GIVEN = '{\n  "page": "pricing",\n  "seats": 12\n}';

export const metadata = {
  id: "metadata",
  name: "Metadata",
  lead: "Tell the agent what you know. It asks less, and the session comes back with it. Start a demo and read below what was sent.",
  controls: [
    { name: "known", label: "For every demo: setMetadata", kind: "json", value: KNOWN, check },
    { name: "given", label: "For this one: startDemo", kind: "json", value: GIVEN, check },
  ],
  isUsable: ({ known, given }) => check(known) === "" && check(given) === "",
  code: ({ known, given }) => ({
    body: '<button id="demo">See a demo</button>',
    script: [
      call("Svc.setMetadata", JSON.parse(known)),
      'const button = document.getElementById("demo");',
      `button.onclick = () => ${call("Svc.startDemo", { metadata: JSON.parse(given) })}`,
    ].join("\n"),
  }),
};

function check(text) {
  try {
    const value = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? "" : "An object, please: { … }";
  } catch {
    return "This is not JSON yet.";
  }
}
