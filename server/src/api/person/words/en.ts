import type { PersonWords } from "./words.ts";

export const words: PersonWords = {
  rights: {
    title: (brand) => `Your conversation with ${brand}`,
    intro: (agent, brand, date) =>
      `You talked with ${agent}, the AI guide of ${brand}, on ${date}. This is what is kept of it. You can take it with you or delete it.`,
    keepLink: "Whoever has the link to this page can do the same. Keep it to yourself.",
    said: "What was said",
    you: "You",
    cut: "Where a line ends with a dash, the speaker was interrupted. Only what you heard is kept.",
    nothingSaid: "Nothing was said.",
    kept: "What else is kept",
    address: "Your address",
    summary: "Summary, written by an AI",
    fromPage: "Passed on by the page",
    assessment: "Assessment",
    assessmentIs: (brand) =>
      `What an AI concluded from the conversation, for ${brand}. Ask ${brand} if you would like to see it.`,
    until: "Kept until",
    untilIs: (date) => `${date}. Then it is deleted by itself.`,
    download: "Download as a file (JSON)",
    delete: "Delete",
    deleteConversation: "Delete this conversation",
    deleteEverything: (address, brand) => `Delete everything under ${address} at ${brand}`,
  },
  confirm: {
    conversation: "Delete this conversation?",
    everything: (brand) => `Delete everything at ${brand}?`,
    goes: "What was said goes, and so do the summary, the assessment, your address and all else on the page before this one.",
    everythingGoes: (address, brand) =>
      `Every conversation with ${brand} that is kept under ${address} goes, with all that belongs to it.`,
    final: "This cannot be undone.",
    copies: (brand) =>
      `Copies that ${brand} has already taken into its own systems are not deleted by this. Please ask ${brand} about those.`,
    yes: "Delete for good",
    no: "Keep it",
  },
  deleted: {
    title: "It is deleted",
    conversation: (brand) => `Nothing of your conversation with ${brand} is kept here any more.`,
    everything: (brand) => `Nothing of your conversations with ${brand} is kept here any more.`,
    copies: (brand) =>
      `Copies that ${brand} took into its own systems before are not part of this. Please ask ${brand} about those.`,
    backups: "Backups let go of it when they expire.",
    receipt: "Receipt",
    receiptIs: "It shows that something was deleted and when. It does not name you.",
  },
  unsubscribe: {
    title: (brand) => `No more mails from ${brand}?`,
    question: (address, brand) =>
      `${address} will then get no summary of a conversation with ${brand} again, not even if you talk with it once more.`,
    yes: "Stop these mails",
    doneTitle: "You will get no more of these mails",
    done: (address, brand) =>
      `No summary of a conversation with ${brand} will be sent to ${address} again. A mail that is already on its way may still arrive.`,
    unnamed: {
      title: "No more of these mails?",
      question:
        "You will then get no summary of a conversation from this sender again, not even if you talk with it once more.",
      done: "No summary of a conversation will be sent to you by this sender again. A mail that is already on its way may still arrive.",
    },
  },
  deadLink: {
    title: "This link leads nowhere",
    why: "The conversation has been deleted, or the link was cut off on its way to you.",
    fix: "If you deleted it, all is done. Otherwise open the link from the mail once more, in full.",
  },
  tooMany: {
    title: "A little slower, please",
    why: "This link was opened many times within a few seconds.",
    fix: "Wait a moment, then open it again.",
  },
  unavailable: {
    title: "This page cannot be shown right now",
    why: "Something is wrong on our side. Nothing of yours was changed unless a page told you so.",
    fix: "Please try again in a few minutes.",
  },
};
