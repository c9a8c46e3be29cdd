// What the pages of all stand-ins do: look once a second, show what is new, switch faults on and off.

const PAGE = 50;
/** More than these are not kept whole. */
const MAX_SHOWN = 500;

let page;
let newest = PAGE;
let lastSeen = "";
let kinds = {};
let faults = [];

/**
 * `usually`: how it answers without a fault. `show` is given each new view; it shows what is special
 * about it, and returns how many things came in `total` and the `rows` for the newest of them.
 * `dress` is given each new row once.
 */
export async function begin({ usually, show, dress }) {
  page = { usually, show, dress };
  ({ kinds } = await ask("faults"));
  form.kind.replaceChildren(
    ...Object.entries(kinds).map(
      ([kind, { does }]) => new Option(`${capital(kind)}: ${does}`, kind),
    ),
  );
  showNeeds();
  await look();
  setInterval(look, 1000);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Everything that is shown goes through here: text, never markup. */
export function say(shown, text) {
  if (shown.textContent !== text) shown.textContent = text;
}

export function element(tag, text, properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text, ...properties });
}

/** One of the boxes at the top. */
export function box(name, state, word, detail) {
  const found = byId(`${name}-part`);
  found.dataset.state = state;
  say(found.querySelector("strong"), word);
  say(found.querySelector("p"), detail);
}

export function many(count, one, more = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
}

export async function ask(path, body, method = "PUT") {
  const init = body && { method, body: JSON.stringify(body) };
  const response = await fetch(`rehearsal/${path}`, init);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export async function look() {
  if (document.hidden) return;
  try {
    const view = await ask(`view?most=${newest}`);
    // What somebody is about to press must not be made anew under the mouse.
    if (JSON.stringify(view) === lastSeen) return;
    lastSeen = JSON.stringify(view);
    faults = view.faults;
    showRows(page.show(view));
    showAnswers();
    showSwitches();
  } catch {
    lastSeen = "";
    box("answers", "away", "stopped", "It does not answer");
  }
}

const rows = new Map();

/** What came, the newest first. A row that is there stays: somebody may be reading it. */
function showRows({ total, rows: all }) {
  const list = byId("list");
  const shown = new Set(all.map(({ number }) => number));
  for (const [number, row] of rows) {
    if (shown.has(number)) continue;
    row.remove();
    rows.delete(number);
  }
  let next = list.firstElementChild;
  for (const one of all) {
    const row = rows.get(one.number) ?? newRow(one);
    if (!rows.has(one.number)) list.insertBefore(row, next);
    rows.set(one.number, row);
    next = row.nextElementSibling;
    showRow(row, one);
  }
  byId("nothing").hidden = total > 0;
  byId("older").hidden = all.length >= total || newest >= MAX_SHOWN;
}

function newRow(one) {
  const row = byId("row").content.cloneNode(true).firstElementChild;
  page.dress?.(row, one);
  return row;
}

/** `facts` are texts, each of which may have a verdict: `[text, verdict]`. */
function showRow(row, { atMs, state, answer, title, summary = "", facts }) {
  const at = new Date(atMs);
  const time = row.querySelector("time");
  const millis = String(at.getMilliseconds()).padStart(3, "0");
  say(time, `${at.toLocaleTimeString("en-GB")}.${millis}`);
  time.dateTime = time.title = at.toISOString();
  row.querySelector(".answer").dataset.state = state;
  say(row.querySelector(".answer"), answer);
  say(row.querySelector("h3 a") ?? row.querySelector("h3"), title);
  say(row.querySelector(".summary"), summary);
  const line = row.querySelector(".facts");
  // Only when they are others: what somebody has marked to copy stays marked.
  if (line.dataset.shown === JSON.stringify(facts)) return;
  line.dataset.shown = JSON.stringify(facts);
  line.replaceChildren(
    ...facts.map((fact) => {
      const [text, verdict] = [fact].flat();
      const span = element("span", text);
      if (verdict !== undefined) span.dataset.verdict = verdict;
      return span;
    }),
  );
}

byId("older").addEventListener("click", () => {
  newest += PAGE;
  void look();
});

function showAnswers() {
  if (faults.length === 0) return box("answers", "ready", page.usually, "No fault is on");
  const names = faults.map(({ kind, status }) => status ?? kind.replaceAll("_", " "));
  box("answers", "away", many(faults.length, "fault on", "faults on"), names.join(", "));
}

function inWords({ kind, hits, times, share, status, ...settings }) {
  return [
    status === undefined ? capital(kind) : `Status ${status}`,
    ...Object.entries(settings).map(([name, value]) => `${name} ${value}`),
    ...(share === undefined ? [] : [`${share * 100} % of the time`]),
    ...(times === undefined ? [] : [`${many(times - hits, "time")} more`]),
  ].join(", ");
}

function showSwitches() {
  const list = byId("switches");
  const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
  list.replaceChildren(
    ...faults.map((fault, index) => {
      const ariaLabel = `Switch off: ${inWords(fault)}`;
      const off = element("button", "Switch off", { type: "button", ariaLabel });
      off.addEventListener("click", () => setFaults(faults.toSpliced(index, 1)));
      const shown = fault.hits === 0 ? "not shown yet" : `shown ${many(fault.hits, "time")}`;
      const item = document.createElement("li");
      item.append(`${inWords(fault)}: ${shown}`, off);
      return item;
    }),
  );
  list.querySelectorAll("button")[focused]?.focus();
}

async function setFaults(next) {
  const trouble = document.querySelector(".trouble");
  try {
    await ask("faults", { faults: next.map(({ hits: _hits, ...fault }) => fault) });
    say(trouble, "");
    await look();
  } catch (error) {
    say(trouble, error.message);
  }
}

const form = byId("switch");

function showNeeds({ target } = {}) {
  const { needs, at } = kinds[form.kind.value];
  if (at !== undefined && target?.name !== "at") form.at.value = at;
  for (const label of form.querySelectorAll("[data-for]")) {
    const { for: name } = label.dataset;
    label.hidden = name === "at" ? at === undefined : needs !== name;
    // A wrong value in a hidden field would keep the form from being sent.
    label.firstElementChild.disabled = label.hidden;
  }
}

form.addEventListener("change", showNeeds);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const fault = { kind: form.kind.value };
  const { needs, at } = kinds[fault.kind];
  if (at !== undefined) fault.at = form.at.value;
  for (const name of [needs, "times", "forMs"]) {
    if (name !== undefined && form[name].value !== "") fault[name] = Number(form[name].value);
  }
  if (form.share.value !== "") fault.share = Number(form.share.value) / 100;
  void setFaults([...faults, fault]);
});
