// What the pages of all stand-ins do: look once a second, show what is new, switch faults on and off.

const PAGE = 50;
/** More than these are not kept whole. */
const MOST = 500;

let page;
let most = PAGE;
let seen = "";
let kinds = {};
let faults = [];

/**
 * `name`: who it is. `usually`: how it answers without a fault. `needsTls`: which faults need it.
 * `show` is given each new view, and says whether there is TLS.
 */
export async function begin({ name, usually, needsTls, show }) {
  page = { name, usually, needsTls, show };
  const { kinds: all, steps = [] } = await ask("faults");
  kinds = all;
  form.kind.replaceChildren(
    ...Object.entries(kinds).map(
      ([kind, { does }]) => new Option(`${capital(kind)}: ${does}`, kind),
    ),
  );
  form.at?.replaceChildren(...steps.map((step) => new Option(`the ${step}'s`, step)));
  showNeeds();
  await look();
  setInterval(look, 1000);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Everything that is shown goes through here: text, never markup. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** One of the boxes at the top. */
export function part(name, state, word, detail) {
  const box = byId(`${name}-part`);
  box.dataset.state = state;
  say(box.querySelector("strong"), word);
  say(box.querySelector("p"), detail);
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
  if (response.status === 204) return undefined;
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export async function look() {
  if (document.hidden) return;
  try {
    const view = await ask(`view?seen=${seen}&most=${most}`);
    if (view === undefined) return;
    seen = view.version;
    faults = view.faults;
    const { hasTls } = page.show(view);
    for (const option of form.kind.options) {
      option.disabled = page.needsTls(option.value) && !hasTls;
    }
    showAnswers();
    showSwitches();
  } catch {
    seen = "";
    part("answers", "away", "stopped", `The ${page.name} does not answer`);
  }
}

const rows = new Map();

/** What came, the newest first, each with its `number`. A row that is there stays: somebody may be reading it. */
export function showRows(all, { total, newRow, showRow }) {
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
    showRow?.(row, one);
  }
  byId("nothing").hidden = total > 0;
  byId("older").hidden = all.length >= total || most >= MOST;
}

export function emptyRow() {
  return byId("row").content.cloneNode(true).firstElementChild;
}

byId("older").addEventListener("click", () => {
  most += PAGE;
  seen = "";
  void look();
});

function showAnswers() {
  if (faults.length === 0) return part("answers", "ready", page.usually, "No fault is on");
  const names = faults.map(({ kind, status }) => status ?? kind.replaceAll("_", " "));
  part("answers", "away", many(faults.length, "fault on", "faults on"), names.join(", "));
}

function inWords({ kind, status, at, afterMs, path, to, share, times, hits }) {
  const only = path ?? to;
  return [
    status === undefined ? capital(kind) : `Status ${status}`,
    ...(at === undefined ? [] : [`at the ${at}`]),
    ...(afterMs === undefined ? [] : [`after ${afterMs.toLocaleString("en")} ms`]),
    ...(only === undefined ? [] : [`only ${only}`]),
    ...(share === undefined ? [] : [`${share * 100} % of the time`]),
    ...(times === undefined ? [] : [`${many(times - hits, "time")} more`]),
  ].join(", ");
}

function showSwitches() {
  const list = byId("switches");
  const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
  list.replaceChildren(
    ...faults.map((fault, index) => {
      const item = document.createElement("li");
      const off = document.createElement("button");
      off.type = "button";
      off.textContent = "Switch off";
      off.ariaLabel = `Switch off: ${inWords(fault)}`;
      off.addEventListener("click", () => setFaults(faults.toSpliced(index, 1)));
      const shown = fault.hits === 0 ? "not shown yet" : `shown ${many(fault.hits, "time")}`;
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
    // Else a wrong value that nobody sees would keep the form from being sent.
    label.firstElementChild.disabled = label.hidden;
  }
}

form.addEventListener("change", showNeeds);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const fault = { kind: form.kind.value };
  const { needs, at } = kinds[fault.kind];
  if (at !== undefined) fault.at = form.at.value;
  if (needs !== undefined) fault[needs] = Number(form[needs].value);
  if (form.share.value !== "") fault.share = Number(form.share.value) / 100;
  if (form.times.value !== "") fault.times = Number(form.times.value);
  void setFaults([...faults, fault]);
});
