import {
  ask,
  begin,
  byId,
  capital,
  emptyRow,
  many,
  part,
  say,
  showRows,
} from "../page/stand-in.js";

function show({ smtpUrl, isTlsOffered, counts, mails }) {
  say(byId("url"), smtpUrl);
  part("mails", "plain", counts.mails.toLocaleString("en"), many(counts.connections, "connection"));
  const tls = isTlsOffered ? ["offered", "By STARTTLS"] : ["none", "On this machine only"];
  part("encryption", "plain", ...tls);
  showRows(mails, { total: counts.mails, newRow });
  return { hasTls: isTlsOffered };
}

function newRow({ number, atMs, from, to, subject, excerpt, bytes, isEncrypted, fault }) {
  const row = emptyRow();
  const at = new Date(atMs);
  const time = row.querySelector("time");
  say(time, at.toLocaleTimeString("en-GB"));
  time.dateTime = time.title = at.toISOString();
  const answer = row.querySelector(".answer");
  answer.dataset.state = fault === undefined ? "ready" : "away";
  say(answer, fault === undefined ? "Taken" : capital(fault));
  const link = row.querySelector("a");
  link.href = `#${number}`;
  say(link, subject || "Without a subject");
  say(row.querySelector(".summary"), excerpt ?? "");
  row.querySelector(".facts").append(
    ...[
      `To ${to.join(", ")}`,
      `From ${from || "nobody"}`,
      size(bytes),
      ...(isEncrypted ? ["Encrypted"] : []),
    ].map((text) => {
      const span = document.createElement("span");
      span.textContent = text;
      return span;
    }),
  );
  return row;
}

function size(bytes) {
  return bytes < 1000 ? many(bytes, "byte") : `${(bytes / 1000).toFixed(1)} KB`;
}

const frame = document.querySelector("iframe");
const source = document.querySelector("#mail > pre");
const forms = [...byId("forms").children];
let opened;

function showAs(form) {
  for (const button of forms) button.ariaPressed = String(button.value === form);
  frame.hidden = byId("dead").hidden = form !== "page";
  source.hidden = form === "page";
  if (form === "page") frame.src = `rehearsal/html?number=${opened.number}`;
  else if (form === "text") source.replaceChildren(...withLinks(opened.text));
  else say(source, opened[form]);
}

function withLinks(text) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const link = document.createElement("a");
    link.href = link.textContent = piece;
    link.target = "_blank";
    link.rel = "noreferrer";
    return link;
  });
}

async function openMail(number) {
  const [{ mails }, content] = await Promise.all([
    ask(`mails?after=${number - 1}&limit=1`),
    ask(`content?number=${number}`),
  ]);
  const mail = mails[0];
  const isKept = content.headers !== undefined;
  const headers = content.headers ?? [];
  opened = {
    number,
    text: isKept ? (content.text ?? "It has no text part.") : "Only the last 500 are kept whole.",
    headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
    raw: content.raw ?? "",
  };
  say(byId("subject"), mail?.subject || "Without a subject");
  document.title = byId("subject").textContent;
  const value = (name) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const facts = {
    From: value("from") ?? mail?.from ?? "",
    To: mail?.to.join(", ") ?? "",
    Came: mail === undefined ? "" : new Date(mail.atMs).toLocaleString("en-GB"),
  };
  document.querySelector("#mail dl").replaceChildren(
    ...Object.entries(facts).flatMap(([name, text]) => {
      const [term, fact] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      fact.textContent = text;
      return [term, fact];
    }),
  );
  forms[0].disabled = content.hasHtml !== true;
  showAs(content.hasHtml ? "page" : "text");
}

for (const button of forms) button.addEventListener("click", () => showAs(button.value));

async function route() {
  const number = Number(location.hash.slice(1));
  const isMail = Number.isSafeInteger(number) && number > 0;
  if (isMail) await openMail(number);
  else document.title = "Inbox";
  byId("mail").hidden = !isMail;
  byId("inbox").hidden = isMail;
  if (isMail) byId("subject").focus();
  else frame.removeAttribute("src");
}

addEventListener("hashchange", route);

await begin({ name: "catcher", usually: "takes all", needsTls: (kind) => /tls/.test(kind), show });
await route();
