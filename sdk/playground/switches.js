/** What the stand-ins of the outside world are told: how slow, and which fault how often. */
function switchesOf({ latency, model, speech, often }) {
  const narrowed = { always: {}, half: { share: 0.5 }, once: { times: 1 } }[often];
  const faults = (kind) => (kind === "" ? [] : [{ kind, ...narrowed }]);
  return {
    model: { delayMs: latency * 1_000, faults: faults(model) },
    speech: { faults: faults(speech) },
  };
}

/** They hold for everybody on this machine, so they are taken back when the page is left. */
export async function setSwitches(state) {
  const switches = switchesOf(state);
  await Promise.all(
    Object.entries(switches).map(([which, setting]) =>
      fetch(`rehearsal/${which}`, {
        method: "PUT",
        body: JSON.stringify(setting),
        keepalive: true,
      }),
    ),
  );
}

/** The same from a terminal. */
export function switchesInTerminal(state, urls) {
  return Object.entries(switchesOf(state))
    .map(
      ([which, setting]) =>
        `curl -X PUT ${urls[which]}/rehearsal/faults \\\n  -d '${JSON.stringify(setting)}'`,
    )
    .join("\n");
}
