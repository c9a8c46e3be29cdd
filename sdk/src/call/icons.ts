/** Paths in a 20 by 20 box, drawn with a round 1.6 stroke. */
export const ICONS = {
  send: "M10 16V4M5 9l5-5 5 5",
  minimize: "M5 10h10",
  restore: "M8 4H4v4M12 16h4v-4M4 4l5 5M16 16l-5-5",
  previous: "M12 4l-6 6 6 6",
  next: "M8 4l6 6-6 6",
  person: "M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 17a6.5 6.5 0 0 1 13 0",
  star: "M10 2.8l2.2 4.6 5 .7-3.6 3.5.9 5-4.5-2.4-4.5 2.4.9-5L2.8 8.1l5-.7z",
} as const;
