import type { LetterWords } from "../letter-language.ts";

export const words: LetterWords = {
  followUp: {
    subject: (brand) => `Your conversation with ${brand}`,
    thanks: (agent, brand) => `Thank you for talking with ${agent}, the AI guide of ${brand}.`,
    byAi: "An AI wrote this summary. It may contain mistakes.",
    noSummary: "There is no summary this time. The whole conversation is behind the link below.",
    rights: "Read, download or delete your conversation",
    why: (brand, date) =>
      `You get this mail because you gave this address in a conversation with ${brand} on ${date}.`,
    notYou:
      "If that was not you, somebody else entered it. With the link above you can delete the conversation; the one below stops these mails.",
    unsubscribe: (brand) => `No more mails like this from ${brand}`,
  },
  deletion: {
    subject: {
      conversation: (brand) => `Deleted: your conversation with ${brand}`,
      everything: (brand) => `Deleted: your conversations with ${brand}`,
    },
    conversation: (brand, date) =>
      `As you asked, we deleted your conversation with ${brand} on ${date}, with everything that was kept of it.`,
    everything: (brand, date) =>
      `As you asked, on ${date} we deleted every conversation with ${brand} that was kept under your address, with everything that belonged to it.`,
    copies: (brand) =>
      `Copies that ${brand} has already taken into its own systems are not part of this. Please ask ${brand} about those.`,
    receipt: "Receipt",
    last: "The receipt does not name you. This is the last mail about it.",
  },
};
