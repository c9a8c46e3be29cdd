import type { LaterWords } from "../later-words.ts";

export const en: LaterWords = {
  timeWarning: "About {minutes} minutes are left.",
  idleWarning: "Are you still there? The conversation ends soon.",

  personText: "You can reach a person here:",
  emailTitle: "Where may we write to you?",
  emailHelp: "It is kept only if you confirm it here.",
  emailLabel: "Email address",
  emailConfirm: "Use this address",
  emailDismiss: "No, thank you",
  emailInvalid: "This is not an email address. Check it for a missing @ or a space.",
  emailDone: "Thank you. We'll write to {email}.",
  microphone: "Microphone",
  testSession: "This is a test session: it is not exported, delivered or mailed.",

  reasons: {
    visitor_ended: "You ended the conversation.",
    agent_ended: "That was the demo.",
    silence: "It was quiet for a while, so the conversation ended.",
    max_duration: "The time for one conversation is up.",
    max_cost: "The time for one conversation is up.",
    visitor_gone: "The connection was lost. The conversation has ended.",
    server_fault: "Something went wrong on our side, so the conversation ended here.",
  },
  title: "Thank you for your time",
  nextWithEmail: "We'll write to {email}.",
  nextWithoutEmail: "You can start again whenever you like.",
  copy: "Copy the conversation",
  copied: "Copied",
  notCopied: "Your browser does not allow copying here",
  rate: "How was it?",
  stars: "{number} of 5",
  rated: "Thank you.",
  close: "Close",
  again: "Try again",

  trouble: {
    agent_unknown: "This demo is not set up on this page yet.",
    agent_paused: "This demo is taking a break. Please come back later.",
    origin_not_allowed: "This demo is not available on this page.",
    at_capacity: "Everybody is in a conversation right now. Please try again in a minute.",
    too_many_starts:
      "Several demos were started from your network just now. Please try again in a minute.",
    daily_cap: "Today's demos are all taken. Please come back tomorrow.",
    service_unavailable: "The demo cannot be reached right now. Please try again in a moment.",
    offline: "You seem to be offline. Check your connection and try again.",
    elsewhere: "A demo is open in another tab. Go on there, or close it first.",
    moved: "The conversation goes on in another tab.",
  },
  troubleTitle: "Not right now",
};
