/** Paths in a 20 by 20 box, drawn with a round 1.6 stroke. */
export const ICONS = {
  microphone:
    "M10 2.5a2.5 2.5 0 0 0-2.5 2.5v4a2.5 2.5 0 0 0 5 0V5A2.5 2.5 0 0 0 10 2.5zM5 9a5 5 0 0 0 10 0M10 14v3.5",
  /** Over another: that is off. */
  off: "M4 3l12 14",
  keyboard: "M2.5 5h15v10h-15zM6 8.5h0M10 8.5h0M14 8.5h0M7 12h6",
} as const;
