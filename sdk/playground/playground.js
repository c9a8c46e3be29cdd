import { addressOf, readState } from "./address.js";
import { drawCode } from "./code-blocks.js";
import { pageCode } from "./code.js";
import { drawControls, segments } from "./controls.js";
import { copy } from "./copy.js";
import { element } from "./element.js";
import { Log } from "./log.js";
import { agentYaml, triedFacts } from "./pages/agent-controls.js";
import { PAGES } from "./pages/index.js";
import { askForService, findService } from "./service.js";
import { Stage } from "./stage.js";
import { setSwitches, switchesInTerminal } from "./switches.js";
import { VIEW } from "./view.js";

/** One page of the playground: from the address to the preview, and back with every change. */
const at = (id) => document.getElementById(id);
const given = new URL(location.href).searchParams;
const page = PAGES.find(({ id }) => id === given.get("page")) ?? PAGES[0];
drawMenu();

const service = (await findService(location.href)) ?? (await ask());
const hasSwitches = page.hasSwitches === true && service.rehearsal !== undefined;
const controls = page.controls.filter(({ isSwitch }) => !isSwitch || hasSwitches);
const log = new Log(at("log"), service);
const stage = new Stage(at("stage"), (told) => log.add(told));
let state = readState([...controls, ...VIEW], location.href);
let waiting;

drawSettings();
at("view").replaceChildren(
  ...VIEW.map((control) =>
    segments(control, state[control.name], (value) => {
      set({ [control.name]: value });
      look();
    }),
  ),
);
at("again").addEventListener("click", run);
at("full").addEventListener("click", () => void at("stage").requestFullscreen());
at("link").addEventListener("click", () => void copy(at("link"), location.href));
at("reset").addEventListener("click", () => {
  set(defaults());
  drawSettings();
  void play();
});
// Others work with the same stand-ins.
if (hasSwitches) addEventListener("pagehide", () => void setSwitches(defaults()).catch(() => {}));
set({});
look();
await play();

/** The answer goes into the address and into the menu's links. */
async function ask() {
  const { api, agent } = await askForService(at("stage"), location.href);
  given.set("api", api);
  given.set("agent", agent);
  drawMenu();
  return { api, agent };
}

function drawSettings() {
  drawControls(at("controls"), controls, state, (name, value) => {
    set({ [name]: value });
    clearTimeout(waiting);
    // A typed word or a dragged colour is one change.
    waiting = setTimeout(play, 200);
  });
  if (page.hasSwitches && !hasSwitches) {
    const where = "Slow and failing models and voices can be tried beside npm run dev.";
    at("controls").append(element("p", { className: "note" }, where));
  }
}

function set(changes) {
  state = { ...state, ...changes };
  const rest = { page: page.id, api: given.get("api"), agent: given.get("agent") };
  const address = addressOf([...controls, ...VIEW], state, rest, location.href);
  history.replaceState(null, "", address);
  at("reset").hidden = controls.every(({ name, value }) => state[name] === value);
}

function defaults() {
  return Object.fromEntries(controls.map(({ name, value }) => [name, value]));
}

function look() {
  document.documentElement.style.colorScheme = state.theme || "light dark";
  at("stage").dataset.size = state.size;
  stage.fit();
}

async function play() {
  // What is half typed is no code yet: what was there stays.
  if (page.isUsable?.(state) === false) return;
  if (hasSwitches) await setSwitches(state).catch((error) => log.failed(error));
  run();
}

function run() {
  const code = pageCode(service, page.code(state));
  drawCode(at("code"), [
    ["Paste into your page", code],
    ["Put into agent.yaml", agentYaml(state)],
    ["The same from a terminal", hasSwitches ? switchesInTerminal(state, service.rehearsal) : ""],
  ]);
  log.clear();
  stage.show(code, {
    trial: { facts: triedFacts(state), refusal: "", ...page.trial?.(state) },
    isBeside: page.isBeside?.(state) ?? false,
    script: page.script,
  });
}

function drawMenu() {
  document.title = `${page.name} · Svc playground`;
  at("title").textContent = page.name;
  at("lead").textContent = page.lead;
  const kept = ["api", "agent", "theme", "size"].map((name) => [name, given.get(name)]);
  const links = PAGES.map(({ id, name }) =>
    element(
      "a",
      {
        href: addressOf([], {}, { page: id, ...Object.fromEntries(kept) }, location.href),
        "aria-current": id === page.id ? "page" : undefined,
      },
      name,
    ),
  );
  at("pages").replaceChildren(...links);
  links
    .find((link) => link.ariaCurrent === "page")
    .scrollIntoView({ block: "nearest", inline: "center" });
}
