import { begin, box, byId, capital, many, say } from "../page/stand-in.js";

function show({ baseUrl, delayMs, scripts, total, requests }) {
  say(byId("url"), baseUrl);
  box("requests", "plain", total.toLocaleString("en"), `Held back for ${delayMs} ms each`);
  const { evaluations, conversations } = scripts;
  const files = `${many(evaluations, "evaluation")}, ${many(conversations, "conversation")}`;
  box("scripts", "plain", String(evaluations + conversations), files);
  return { total, rows: requests.map(rowOf) };
}

function rowOf({ number, at, kind, model, status, fault, by, promptTokens, completionTokens }) {
  return {
    number,
    atMs: Date.parse(at),
    state: status === 200 ? "ready" : "away",
    answer: status === 0 ? "No answer" : String(status),
    title: capital(kind),
    facts: [
      `Model ${model}`,
      ...(by === undefined ? [] : [`By ${by}`]),
      `${many(promptTokens, "token")} in, ${completionTokens} out`,
      ...(fault === undefined ? [] : [`Fault: ${fault.replaceAll("_", " ")}`]),
    ],
  };
}

await begin({ usually: "at once", show });
