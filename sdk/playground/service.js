import { element } from "./element.js";

/**
 * Which service the playground shows: what `playground.json` beside it says, else what the address
 * says. A link must not make this site run a stranger's script, so an address from a link is asked
 * about first, unless it is this very site or all is on one's own machine.
 */
export async function findService(address) {
  const given = new URL(address).searchParams;
  const configured = await readConfiguration();
  const agent = given.get("agent") ?? configured.agent ?? "";
  const api = withoutSlash(configured.api ?? given.get("api") ?? "");
  const isKnown = configured.api !== undefined || isTrusted(api);
  return agent !== "" && isKnown ? { ...configured, api, agent } : undefined;
}

/** Resolves once somebody has said it. */
export function askForService(place, address) {
  const given = new URL(address).searchParams;
  return new Promise((resolve) => {
    const api = field("Address of the service", "https://svc.example.com", given.get("api"));
    const agent = field("Agent", "agent_…", given.get("agent"));
    place.replaceChildren(
      element(
        "form",
        {
          className: "ask",
          onsubmit: (event) => {
            event.preventDefault();
            resolve({ api: withoutSlash(api.input.value), agent: agent.input.value.trim() });
          },
        },
        element("h2", {}, "Which agent?"),
        element(
          "p",
          { className: "note" },
          "The playground runs the SDK of this address in this page. Go on only if you know it.",
        ),
        api.label,
        agent.label,
        element("button", { type: "submit", className: "action" }, "Show it"),
      ),
    );
    api.input.type = "url";
    api.input.pattern = "https?://.+";
  });
}

function field(name, placeholder, value) {
  const input = element("input", { placeholder, value: value ?? "", required: true });
  return { input, label: element("label", {}, element("span", {}, name), input) };
}

async function readConfiguration() {
  try {
    const response = await fetch("playground.json");
    return response.ok ? await response.json() : {};
  } catch {
    return {};
  }
}

function isTrusted(api) {
  if (!URL.canParse(api)) return false;
  const { origin, hostname } = new URL(api);
  return origin === location.origin || (isOwnMachine(hostname) && isOwnMachine(location.hostname));
}

function isOwnMachine(hostname) {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

function withoutSlash(address) {
  return address.trim().replace(/\/+$/, "");
}
