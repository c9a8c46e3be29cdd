/**
 * A page's state in the address: what differs from the default, and nothing else, so that a link
 * stays short. A value that no control could have made is passed over.
 */
export function readState(controls, address) {
  const given = new URL(address).searchParams;
  return Object.fromEntries(
    controls.map((control) => [control.name, accepted(control, given.get(control.name))]),
  );
}

/** The address that brings the state back. `rest` is kept as it is; what is undefined is left out. */
export function addressOf(controls, state, rest, address) {
  const url = new URL(address);
  url.search = "";
  url.hash = "";
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, value);
  }
  for (const { name, value } of controls) {
    if (state[name] !== value) url.searchParams.set(name, String(state[name]));
  }
  return url.href;
}

function accepted({ kind, value, options, from, to }, text) {
  if (text === null) return value;
  switch (kind) {
    case "choice":
    case "place":
      return options.some(([one]) => one === text) ? text : value;
    case "switch":
      return text === "true" || (text !== "false" && value);
    case "number": {
      const number = Number(text);
      return text !== "" && number >= from && number <= to ? number : value;
    }
    case "color":
      return text === "" || /^#[\da-f]{6}$/i.test(text) ? text : value;
    default:
      return text.slice(0, 2_000);
  }
}
