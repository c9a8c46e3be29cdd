import { expect, it } from "vitest";
import { saysUnknown } from "./says-unknown.ts";

it.each([
  "I don’t know whether it runs on a tablet, a person will answer that.",
  "Whether the fee is charged twice is something I don't know.",
  "I'm not sure whether that is included.",
  "I do not have that figure; our team does.",
  "Das kann ich Ihnen leider nicht sagen.",
  "Ob es das in Rot gibt, weiß ich nicht.",
  "Je ne sais pas si c'est compris.",
  "Cela, je ne peux pas vous le confirmer.",
  "No lo sé, pero una persona le responderá.",
  "Non so se è compreso nel prezzo.",
  "Dat weet ik helaas niet.",
  "Não sei se está incluído.",
])("says that it does not know: %s", (text) => {
  expect(saysUnknown(text)).toBe(true);
});

it.each([
  "It knows your calendar, and you can tell it what to leave out.",
  "I know that this can be hard to decide.",
  "I'm not sure I follow, could you say that again?",
  "Wissen Sie schon, wie viele Boote es werden?",
  "Sie wissen es vielleicht noch nicht.",
  "Vous ne savez pas encore ?",
  "Let me know when you are ready.",
])("says nothing of the kind: %s", (text) => {
  expect(saysUnknown(text)).toBe(false);
});
