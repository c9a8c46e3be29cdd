import { ask, begin, box, byId, capital, element, many, say } from "../page/stand-in.js";

function show({ smtpUrl, isTlsOffered, counts, mails }) {
  say(byId("url"), smtpUrl);
  box("mails", "plain", counts.mails.toLocaleString("en"), many(counts.connections, "connection"));
  const tls = isTlsOffered ? ["offered", "By STARTTLS"] : ["none", "On this machine only"];
  box("encryption", "plain", ...tls);
  return { total: counts.mails, rows: mails.map(rowOf) };
}

function rowOf({ number, atMs, from, to, subject, excerpt, bytes, isEncrypted, fault }) {
  return {
    number,
    atMs,
    state: fault === undefined ? "ready" : "away",
    answer: fault === undefined ? "Taken" : capital(fault),
    title: subject || "Without a subject",
    summary: excerpt,
    facts: [
      `To ${to.join(", ")}`,
      `From ${from || "nobody"}`,
      bytes < 1000 ? many(bytes, "byte") : `${(bytes / 1000).toFixed(1)} KB`,
      ...(isEncrypted ? ["Encrypted"] : []),
    ],
  };
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
    const isLink = index % 2 === 1;
    return isLink
      ? element("a", piece, { href: piece, target: "_blank", rel: "noreferrer" })
      : piece;
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
  document
    .querySelector("#mail dl")
    .replaceChildren(
      ...Object.entries(facts).flatMap(([name, text]) => [
        element("dt", name),
        element("dd", text),
      ]),
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
  for (const part of document.querySelectorAll(".overview")) part.hidden = isMail;
  if (isMail) byId("subject").focus();
  else frame.removeAttribute("src");
}

addEventListener("hashchange", route);

await begin({
  usually: "takes all",
  show,
  dress: (row, { number }) => {
    row.querySelector("h3").append(element("a", "", { href: `#${number}` }));
  },
});
await route();
