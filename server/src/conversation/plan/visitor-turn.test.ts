import fc from "fast-check";
import { expect, test } from "vitest";
import { readVisitorTurn } from "./visitor-turn.ts";

test.each([
  "How does it work?",
  "how much does it cost",
  "ok and what is the export",
  "Can you show me the webhook",
  "tell me about privacy",
  "Wie funktioniert das",
  "und was kostet das",
  "Kann man das testen",
  "Zeigen Sie mir den Export",
  "Combien ça coûte",
  "c'est quoi exactement",
  "Avez-vous une démo",
  "Cómo funciona",
  "cuanto cuesta",
  "Puede mostrarme los datos",
])("a question, with or without its sign: %s", (text) => {
  expect(readVisitorTurn(text).kind).toBe("question");
});

test.each([
  "We sell heat pumps to installers.",
  "About five thousand a month.",
  "When the new site is up, in May.",
  "What we want is a better page.",
  "Was wir brauchen, ist eine bessere Seite.",
  "Wann wir soweit sind, weiß ich noch nicht.",
  "Ungefähr 5000 im Monat.",
  "Quand nous serons prêts, en mars.",
  "Environ cinq mille par mois.",
  "Unas cinco mil personas con interés.",
  "Okay.",
])("no question: %s", (text) => {
  expect(readVisitorTurn(text)).toEqual({ kind: "statement", isFarewell: false });
});

test.each([
  "Are you a real person?",
  "Wait, am I talking to a bot",
  "Bist du ein Mensch?",
  "Sind Sie ein echter Mensch",
  "Spreche ich mit einer KI?",
  "Êtes-vous un robot ?",
  "C'est une vraie personne ?",
  "¿Eres humano?",
  "¿Es usted una persona real?",
])("asks whether an AI speaks: %s", (text) => {
  expect(readVisitorTurn(text).kind).toBe("asks_if_human");
});

test.each([
  ["hostile", "You are an idiot."],
  ["hostile", "Das ist doch Scheiße!"],
  ["hostile", "Ta gueule."],
  ["hostile", "Eres un inútil, cállate."],
  ["off_topic", "Tell me a joke"],
  ["off_topic", "Wie wird das Wetter morgen?"],
  ["off_topic", "Écris-moi un poème sur la mer."],
  ["off_topic", "¿Quién gana las elecciones?"],
])("%s: %s", (kind, text) => {
  expect(readVisitorTurn(text).kind).toBe(kind);
});

test("what the agent's own texts speak about is on topic", () => {
  expect(readVisitorTurn("How is the weather data made?", (word) => word === "weather").kind).toBe(
    "question",
  );
});

test.each([
  "Thanks, bye!",
  "That's all for today.",
  "Das war's, danke.",
  "Au revoir",
  "Eso es todo.",
])("a farewell: %s", (text) => {
  expect(readVisitorTurn(text).isFarewell).toBe(true);
});

test.each(["Is that all?", "I see you have webhooks.", "Bye, you idiot."])(
  "no farewell: %s",
  (text) => {
    expect(readVisitorTurn(text).isFarewell).toBe(false);
  },
);

test("whatever is typed is read", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(["question", "statement", "hostile", "off_topic", "asks_if_human"]).toContain(
        readVisitorTurn(text).kind,
      );
    }),
  );
});
