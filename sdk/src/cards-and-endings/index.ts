export { showAbout } from "./about.ts";
export { type CardPlace, cardPlace } from "./cards.ts";
export { type EndedScreen, endedScreen } from "./ended-screen.ts";
export { microphoneChoice } from "./microphone-choice.ts";
export { warningText } from "./notes.ts";
export { metadataHint } from "../core/metadata.ts";
export { knownTrouble, type Trouble, troubleScreen } from "./trouble-screen.ts";
export { useKit } from "../kit.ts";
