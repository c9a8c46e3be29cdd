import type { LiveCloseCodes } from "./types/index.ts";

/** The reason for which the server closes a socket of `svc.live.v1`, and what the browser does then. */
export interface LiveCloseCode {
  code: number;
  name: string;
  meaning: string;
  cure: string;
}

export type LiveCloseName = keyof LiveCloseCodes;

/** Written once: the server closes with them, the documentation lists them. */
export const LIVE_CLOSE: {
  [Name in LiveCloseName]: LiveCloseCode & { code: LiveCloseCodes[Name] };
} = {
  done: {
    code: 1000,
    name: "done",
    meaning: "The session is over and nothing more will come.",
    cure: "None is needed.",
  },
  goingAway: {
    code: 1001,
    name: "going_away",
    meaning: "This server process is stopping.",
    cure: "Connect again with the resume token.",
  },
  notJson: {
    code: 1003,
    name: "not_understood",
    meaning: "A binary frame came where none is taken: the session has no voice.",
    cure: "Send text frames only.",
  },
  tooBig: {
    code: 1009,
    name: "too_big",
    meaning: "A frame was larger than 64 KB.",
    cure: "Send smaller frames.",
  },
  fault: {
    code: 1011,
    name: "fault",
    meaning: "Something went wrong on our side.",
    cure: "Connect again with the resume token.",
  },
  full: {
    code: 1013,
    name: "full",
    meaning: "This server process or the agent carries as many sessions as it can.",
    cure: "Connect again in a second; another process may take it.",
  },
  badFrame: {
    code: 4000,
    name: "bad_frame",
    meaning: "A frame was not a message of this protocol, or its number was out of order.",
    cure: "Connect again with the resume token, and send what the protocol describes.",
  },
  moved: {
    code: 4001,
    name: "moved",
    meaning: "Another socket has taken this session over.",
    cure: "Do not connect again from here.",
  },
  refused: {
    code: 4002,
    name: "refused",
    meaning:
      "The ticket or resume token is wrong, void, or has expired, or the session is over or never was.",
    cure: "Start again with the same start key for a new ticket.",
  },
  over: {
    code: 4003,
    name: "over",
    meaning: "The session has ended.",
    cure: "Start a new one.",
  },
  helloLate: {
    code: 4004,
    name: "hello_late",
    meaning: "No hello came within five seconds.",
    cure: "Send it as the first frame.",
  },
  tooFast: {
    code: 4005,
    name: "too_fast",
    meaning: "More frames came than a person and a microphone can make.",
    cure: "Connect again with the resume token, and send less.",
  },
  silent: {
    code: 4006,
    name: "silent",
    meaning: "No ping came in time.",
    cure: "Connect again with the resume token.",
  },
};
