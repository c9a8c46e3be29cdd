import { ask, begin, box, byId, capital, element, look, many, say } from "../page/stand-in.js";

function showBoxes({ url, secureUrl, counts, secrets: known }) {
  say(byId("url"), secureUrl ? `${url} or ${secureUrl}` : url);
  const ends = `${many(counts.connections, "connection")}, at most ${counts.mostOpen} at once`;
  box("requests", "plain", counts.total.toLocaleString("en"), ends);
  const { svc, standard } = counts.signatures;
  const bad = ({ wrong = 0, missing = 0, stale = 0 }) => wrong + missing + stale;
  const worst = Math.max(bad(svc), bad(standard));
  const knows = known === 0 ? "No secret is known" : `${many(known, "secret")} known`;
  if (known === 0) box("signatures", "away", "not checked", knows);
  else if (worst > 0) box("signatures", "away", `${worst} not right`, knows);
  else box("signatures", "ready", svc.valid ? "all valid" : "none yet", knows);
}

function rowOf(request) {
  const { number, atMs, status, tookMs, signatures, event } = request;
  const isOpen = tookMs === undefined;
  const said = status ?? (isOpen ? "No answer yet" : "No answer");
  const isEvent = event?.sessionId !== undefined;
  const reading = signatures === undefined ? "The body did not arrive" : event?.problem;
  return {
    number,
    atMs,
    state: isOpen ? "open" : status >= 200 && status < 300 ? "ready" : "away",
    answer: isOpen ? said : `${said}, ${duration(tookMs)}`,
    title: capital(isEvent ? (event.qualification ?? event.status) : "Not an event"),
    summary: event?.summary ?? capital(reading ?? ""),
    facts: factsOf(request),
  };
}

function factsOf({ path, fault, attempt, gapMs, signatures, event }) {
  const facts = [];
  if (signatures !== undefined) {
    const { svc, standard, secret } = signatures;
    facts.push([`Signature ${secret > 1 ? `${svc}, secret ${secret}` : svc}`, svc]);
    facts.push([`Standard Webhooks ${standard}`, standard]);
  }
  const since = gapMs === undefined ? "" : `, ${duration(gapMs)} after the one before`;
  facts.push(`Attempt ${attempt}${since}`);
  if (fault !== undefined) facts.push(`Fault: ${fault.replaceAll("_", " ")}`);
  if (event?.sessionId !== undefined) {
    facts.push(`Session ${event.sessionId}`, capital(event.status));
  }
  return [...facts, `To ${path}`];
}

function duration(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Headers and body are asked for when somebody opens them. */
function dress(row, { number }) {
  const details = document.createElement("details");
  const whole = element("pre", "", { tabIndex: 0 });
  details.append(element("summary", "Headers and body"), whole);
  details.addEventListener("toggle", async () => {
    if (!details.open) return;
    const { headers, body } = await ask(`content?number=${number}`);
    const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    const gone = "Only the last 500 are kept whole.";
    say(whole, headers ? `${lines.join("\n")}\n\n${body ?? ""}` : gone);
  });
  row.querySelector(".what").append(details);
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
  usually: "204 at once",
  dress,
  show: (view) => {
    showBoxes(view);
    return { total: view.counts.total, rows: view.requests.map(rowOf) };
  },
});
