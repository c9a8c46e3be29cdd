export const faults = {
  id: "faults",
  name: "Bad days",
  lead: "Slow models, lost voices, a full house: see what your visitors would see.",
  hasSwitches: true,
  controls: [
    {
      name: "refusal",
      label: "Nobody can start because",
      kind: "choice",
      value: "",
      group: "At the door",
      groupNote: "Tried in this preview only.",
      options: [
        ["", "(everybody can)"],
        ["at_capacity", "all places are taken"],
        ["daily_cap", "the day's limit is reached"],
        ["too_many_starts", "of too many starts"],
        ["agent_paused", "the agent is paused"],
        ["origin_not_allowed", "the page may not start it"],
        ["agent_unknown", "the id is wrong"],
      ],
    },
    {
      name: "latency",
      label: "Every answer comes later by",
      kind: "number",
      value: 0,
      from: 0,
      to: 10,
      step: 0.5,
      unit: "s",
      none: "nothing",
      group: "Language model",
      groupNote: "Its stand-in on this machine does so while this page is open.",
      isSwitch: true,
    },
    {
      name: "model",
      label: "It fails",
      kind: "choice",
      value: "",
      group: "Language model",
      isSwitch: true,
      options: [
        ["", "not at all"],
        ["error_503", "with error 503"],
        ["rate_limit", "with too many requests"],
        ["stall", "by never answering"],
        ["stall_midway", "by falling silent midway"],
        ["cut_midway", "by a cut connection"],
        ["drip", "by a trickle of letters"],
        ["empty", "with empty answers"],
        ["refusal", "by declining to answer"],
      ],
    },
    {
      name: "speech",
      label: "They fail",
      kind: "choice",
      value: "",
      group: "Ears and voice",
      isSwitch: true,
      options: [
        ["", "not at all"],
        ["error_500", "with error 500"],
        ["deaf", "by hearing nothing"],
        ["garbage", "by hearing nonsense"],
        ["mute", "by making no sound"],
        ["cut_sentence", "in the middle of a sentence"],
        ["drip", "by speaking at half the speed"],
      ],
    },
    {
      name: "often",
      label: "Fail",
      kind: "choice",
      value: "always",
      group: "Both of them",
      isSwitch: true,
      options: [
        ["always", "Always"],
        ["half", "Half the time"],
        ["once", "Once"],
      ],
    },
  ],
  trial: ({ refusal }) => ({ refusal, opens: refusal === "" ? undefined : "talk" }),
  code: () => ({
    body: '<button id="demo">See a demo</button>\n<p id="told" role="status"></p>',
    script: `const told = document.getElementById("told");
const tell = ({ reason }) => {
  told.textContent = \`No demo: \${reason}\`;
};
Svc.on("unavailable", tell);
const button = document.getElementById("demo");
button.onclick = async () => {
  const result = await Svc.startDemo();
  if (!result.opened) tell(result);
};`,
  }),
};
