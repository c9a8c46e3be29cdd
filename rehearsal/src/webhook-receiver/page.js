import {
  ask,
  begin,
  byId,
  capital,
  emptyRow,
  look,
  many,
  part,
  say,
  showRows,
} from "../page/stand-in.js";

function showParts({ counts, secrets: known }) {
  const ends = `${many(counts.connections, "connection")}, at most ${counts.mostOpen} at once`;
  part("requests", "plain", counts.total.toLocaleString("en"), ends);
  const { svc, standard } = counts.signatures;
  const bad = ({ wrong = 0, missing = 0, stale = 0 }) => wrong + missing + stale;
  const worst = Math.max(bad(svc), bad(standard));
  const knows = known === 0 ? "No secret is known" : `${many(known, "secret")} known`;
  if (known === 0) part("signatures", "away", "not checked", knows);
  else if (worst > 0) part("signatures", "away", `${worst} not right`, knows);
  else part("signatures", "ready", svc.valid ? "all valid" : "none yet", knows);
}

function newRow({ number }) {
  const row = emptyRow();
  const details = row.querySelector("details");
  details.addEventListener("toggle", async () => {
    if (!details.open) return;
    const { headers, body } = await ask(`content?number=${number}`);
    const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    const gone = "Only the last 500 are kept whole.";
    say(row.querySelector("pre"), headers ? `${lines.join("\n")}\n\n${body ?? ""}` : gone);
  });
  return row;
}

function showRow(row, request) {
  const { atMs, status, tookMs, signatures, event } = request;
  const at = new Date(atMs);
  const time = row.querySelector("time");
  const clock = at.toLocaleTimeString("en-GB");
  say(time, `${clock}.${String(at.getMilliseconds()).padStart(3, "0")}`);
  time.dateTime = time.title = at.toISOString();

  const answer = row.querySelector(".answer");
  const isOpen = tookMs === undefined;
  answer.dataset.state = isOpen ? "open" : status >= 200 && status < 300 ? "ready" : "away";
  const said = status ?? (isOpen ? "No answer yet" : "No answer");
  say(answer, isOpen ? said : `${said}, ${duration(tookMs)}`);

  const isEvent = event?.sessionId !== undefined;
  const title = isEvent ? (event.qualification ?? event.status) : "Not an event";
  say(row.querySelector("h3"), capital(title));
  const reading = signatures === undefined ? "The body did not arrive" : event?.problem;
  say(row.querySelector(".summary"), event?.summary ?? capital(reading ?? ""));
  showFacts(row.querySelector(".facts"), factsOf(request));
}

/** Each a text, and for a signature its verdict. */
function factsOf({ path, fault, attempt, gapMs, signatures, event }) {
  const facts = [];
  if (signatures !== undefined) {
    const { svc, standard, secret } = signatures;
    facts.push([`Signature ${secret > 1 ? `${svc}, secret ${secret}` : svc}`, svc]);
    facts.push([`Standard Webhooks ${standard}`, standard]);
  }
  const since = gapMs === undefined ? "" : `, ${duration(gapMs)} after the one before`;
  facts.push([`Attempt ${attempt}${since}`]);
  if (fault !== undefined) facts.push([`Fault: ${fault.replaceAll("_", " ")}`]);
  if (event?.sessionId !== undefined) {
    facts.push([`Session ${event.sessionId}`], [capital(event.status)]);
  }
  return [...facts, [`To ${path}`]];
}

/** Only when they are others: what somebody has marked to copy stays marked. */
function showFacts(line, facts) {
  if (line.dataset.shown === JSON.stringify(facts)) return;
  line.dataset.shown = JSON.stringify(facts);
  line.replaceChildren(
    ...facts.map(([text, verdict]) => {
      const span = document.createElement("span");
      span.textContent = text;
      if (verdict !== undefined) span.dataset.verdict = verdict;
      return span;
    }),
  );
}

function duration(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

byId("secret").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = event.target.secret;
  if (field.value.trim() === "") return;
  await ask("secrets", { secret: field.value.trim() }, "POST");
  field.value = "";
  say(byId("said"), "From now on it counts.");
  await look();
});

await begin({
  name: "receiver",
  usually: "204 at once",
  needsTls: (kind) => kind.startsWith("tls_"),
  show: (view) => {
    const { url, secureUrl, requests, counts } = view;
    say(byId("url"), secureUrl ? `${url} or ${secureUrl}` : url);
    showParts(view);
    showRows(requests, { total: counts.total, newRow, showRow });
    return { hasTls: secureUrl !== undefined };
  },
});
