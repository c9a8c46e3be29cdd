const EVENTS = {
  open: "The overlay is open",
  started: "The visitor has agreed",
  email: "An address was confirmed",
  ended: "The conversation is over",
  closed: "The overlay is closed",
  unavailable: "No session could start",
};

export const events = {
  id: "events",
  name: "Events",
  lead: "Your page hears what happens in the call. Start a demo and watch them come.",
  controls: Object.entries(EVENTS).map(([name, what]) => ({
    name,
    label: `${name}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
    kind: "switch",
    value: name === "started" || name === "ended",
    group: "Listen to",
  })),
  code: (state) => ({
    body: '<button id="demo">See a demo</button>\n<pre id="heard"></pre>',
    script: [
      'const button = document.getElementById("demo");',
      "button.onclick = () => Svc.startDemo();",
      "",
      'const heard = document.getElementById("heard");',
      "const show = (name) => (detail) => {",
      "  const text = JSON.stringify(detail);",
      "  heard.append(`${name} ${text}\\n`);",
      "};",
      ...Object.keys(EVENTS)
        .filter((name) => state[name])
        .map((name) => `Svc.on("${name}", show("${name}"));`),
    ].join("\n"),
  }),
};
