import type { LadderWords } from "../ladder-words.ts";

export const en: LadderWords = {
  rungs: {
    denied: [
      "The microphone is blocked",
      "You can type instead. To talk, allow the microphone and press Talk again.",
    ],
    dismissed: [
      "The microphone was not allowed",
      "You can type instead. To talk, press Talk again and choose Allow when your browser asks.",
    ],
    none: ["No microphone was found", "You can type instead. To talk, connect one and press Talk."],
    busy: [
      "The microphone cannot be used",
      "Another program may be using it. You can type instead, or close that program and press Talk.",
    ],
    insecure: [
      "The microphone is not available here",
      "Browsers allow it only on pages whose address begins with https. You can type instead.",
    ],
    policy: [
      "The microphone is not available here",
      "This website has switched it off for this page. You can type instead.",
    ],
    removed: [
      "The microphone is gone",
      "It was unplugged or switched off. You can type instead, or connect it again and press Talk.",
    ],
    sound: [
      "The sound could not be started",
      "You can type instead, or press Talk to try once more.",
    ],
  },
  help: {
    chrome: "Click the icon left of the address and switch the microphone on.",
    chromePhone: "Tap the icon left of the address, then Permissions, then Microphone.",
    firefox: "Click the crossed-out microphone left of the address and remove the block.",
    safari: "In the menu Safari, choose Settings for this website, and allow the microphone.",
    safariPhone:
      "Tap the icon left of the address, then Website Settings, and allow the microphone.",
    other: "You find it in your browser's settings for this website.",
  },
  allowed: ["The microphone is allowed now", "Press Talk to go on by voice."],
};
