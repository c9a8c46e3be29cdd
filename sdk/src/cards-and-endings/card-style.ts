/** How everything looks that asks for something in the conversation's column. */
export const CARD_STYLE = `
.card { display: grid; gap: 8px; border: 1px solid var(--line); border-radius: 14px; padding: 16px; margin-bottom: 12px; background: var(--wash); }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
`;
