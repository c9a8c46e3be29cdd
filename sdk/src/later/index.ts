export { renderCard } from "./cards.ts";
export { endedScreen } from "./ended-screen.ts";
export { microphoneChoice } from "./microphone-choice.ts";
export { talkAgainNote, testNote } from "./notes.ts";
export { talkUnasked } from "./talk-unasked.ts";
export { type Trouble, troubleScreen } from "./trouble-screen.ts";
export { warningText } from "./warning-text.ts";
