// The script of every page: the menu on a phone, the search, and a button that copies code.

const { root } = document.querySelector("script[data-root]").dataset;
const byId = (id) => document.getElementById(id);

const menu = byId("menu");
menu.hidden = false;
document.body.classList.add("has-menu");
menu.addEventListener("click", () => {
  const isOpen = byId("navigation").classList.toggle("is-open");
  menu.ariaExpanded = String(isOpen);
});

for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.append(button);
}

const MAX_FOUND = 12;
const query = byId("query");
const found = byId("found");
let entries;
query.hidden = false;

query.addEventListener("focus", () => {
  entries ??= fetch(`${root}search.json`).then((response) => response.json());
});
query.addEventListener("input", show);
query.addEventListener("keydown", (event) => {
  if (event.key === "Enter") found.querySelector("a")?.click();
});
addEventListener("keydown", (event) => {
  const isTyping = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    query.focus();
  } else if (event.key === "Escape" && !found.hidden) {
    found.hidden = true;
    query.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event);
});
addEventListener("click", ({ target }) => {
  if (!target.closest("search") || target.closest("#found a")) found.hidden = true;
});

async function show() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length === 0 ? [] : await entries;
  // The reader may have typed on while the list was loading.
  if (words.join() !== query.value.toLowerCase().split(/\s+/).filter(Boolean).join()) return;
  const best = all
    .map((entry) => ({ entry, worth: worthOf(entry, words) }))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => resultOf(entry, words));
  found.hidden = words.length === 0;
  found.replaceChildren(...(best.length > 0 ? best : [paragraph("Nothing has these words.")]));
}

/** Every word must be there: in a heading it is worth more than in the text. */
function worthOf([, title, heading, , text], words) {
  const [inTitle, inHeading, inText] = [title, heading, text].map((part) => part.toLowerCase());
  return words.reduce((sum, word) => {
    const worth =
      (inHeading.includes(word) ? 8 : 0) +
      (inTitle.includes(word) ? 3 : 0) +
      (inText.includes(word) ? 1 : 0);
    return worth === 0 ? Number.NEGATIVE_INFINITY : sum + worth;
  }, 0);
}

function resultOf([page, title, heading, anchor, text], words) {
  const link = document.createElement("a");
  link.href = `${root}${page}${heading === title ? "" : `#${anchor}`}`;
  const name = document.createElement("strong");
  name.textContent = heading;
  const rest = document.createElement("span");
  // From a word's beginning, a little before what was looked for.
  const at = text.lastIndexOf(" ", Math.max(0, text.toLowerCase().indexOf(words[0]) - 40)) + 1;
  const excerpt = text.slice(at, at + 140);
  rest.textContent = heading === title ? excerpt : `${title}: ${excerpt}`;
  link.append(name, rest);
  return link;
}

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

/** Up and down through what was found. */
function move(event) {
  const stops = [query, ...found.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement);
  if (found.hidden || at === -1) return;
  event.preventDefault();
  stops[(at + (event.key === "ArrowDown" ? 1 : stops.length - 1)) % stops.length].focus();
}
