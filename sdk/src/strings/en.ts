import type { Strings } from "./strings.ts";

export const strings: Strings = {
  aiGuide: "AI guide",
  invitation: "I'll show you {brand} and answer your questions. It takes about five minutes.",
  talk: "Talk",
  write: "Type",
  type: "Start by typing",
  cancel: "Not now",
  language: "Language",

  connecting: "Connecting",
  listening: "Your turn",
  thinking: "Thinking",
  speaking: "Answering",
  reconnecting: "Reconnecting",

  hears: "Listening",
  speaks: "Speaking. Talk to interrupt.",
  muted: "Microphone off",
  allow: "Please allow the microphone",
  mute: "Mute",
  voiceGone: "The voice is not available right now, so we go on in writing.",

  conversation: "Conversation",
  you: "You",
  message: "Your message",
  send: "Send",
  end: "End",
  minimize: "Make it small",
  restore: "Make it large",
  person: "Talk to a person",
  about: "About this call",
  close: "Close",

  contentFailed: "This could not be loaded.",

  unreachable: "The demo cannot be reached right now. Please try again in a moment.",
};
