export { type CardPlace, cardPlace } from "./card-place.ts";
export { endedScreen } from "./ended-screen.ts";
export { microphoneChoice } from "./microphone-choice.ts";
export { testNote } from "./notes.ts";
export { metadataHint } from "../call/metadata-limits.ts";
export { knownTrouble, type Trouble, troubleScreen } from "./trouble-screen.ts";
export { warningText } from "./warning-text.ts";
export { useKit } from "../kit.ts";
