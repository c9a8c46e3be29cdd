import { begin, box, byId, capital, say } from "../page/stand-in.js";

function show({ url, delayMs, total, events }) {
  say(byId("url"), url);
  box("events", "plain", total.toLocaleString("en"), `Speech is held back for ${delayMs} ms`);
  return { total, rows: events.map(rowOf) };
}

function rowOf({ number, atMs, service, what, text, language, voice, fault }) {
  const settings = Object.entries({ language, voice, fault }).filter(([, value]) => value);
  return {
    number,
    atMs,
    state: fault === undefined ? "ready" : "away",
    answer: capital(what),
    title: capital(service),
    summary: text,
    facts: settings.map(([name, value]) => `${capital(name)} ${value.replaceAll("_", " ")}`),
  };
}

await begin({ usually: "at once", show });
