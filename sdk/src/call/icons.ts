/** Paths in a 20 by 20 box, drawn with a round 1.6 stroke. */
export const ICONS = {
  send: "M10 16V4M5 9l5-5 5 5",
  minimize: "M5 10h10",
  restore: "M8 4H4v4M12 16h4v-4M4 4l5 5M16 16l-5-5",
  about: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9v4.5M10 6.3v.2",
  person: "M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 17a6.5 6.5 0 0 1 13 0",
  microphone:
    "M10 2.5a2.5 2.5 0 0 0-2.5 2.5v4a2.5 2.5 0 0 0 5 0V5A2.5 2.5 0 0 0 10 2.5zM5 9a5 5 0 0 0 10 0M10 14v3.5",
  /** Over another: that is off. */
  off: "M4 3l12 14",
  keyboard: "M2.5 5h15v10h-15zM6 8.5h0M10 8.5h0M14 8.5h0M7 12h6",
} as const;
