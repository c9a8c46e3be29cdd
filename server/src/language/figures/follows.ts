import { calculate, isSpokenFor } from "./calculation.ts";
import type { Operand } from "./calculation.ts";
import type { Figure } from "./figures-found.ts";
import { SMALL } from "./known-figures.ts";
import type { Known } from "./known-figures.ts";

/** Whether a declared calculation gives it, or uses it, and all of its numbers are known. */
export function follows({ keys, measure }: Figure, known: Known): boolean {
  return known.calculations.some((calculation) => {
    const operands: string[] = [];
    let [hasPrice, mayHavePrice] = [false, false];
    const result = calculate(calculation, (operand) => {
      operands.push(operand.key);
      hasPrice ||= isPrice(operand.key, known);
      mayHavePrice ||= isLarge(operand.key) && known.agent.with(operand.key).some(isPlain);
      return isKnownOperand(operand, known);
    });
    const sound =
      hasPrice || mayHavePrice
        ? calculate(calculation, (operand) => mayMakePrice(operand, known))
        : result;
    if (sound === undefined || (measure?.kind === "money" && !hasPrice)) return false;
    if (measure === undefined && keys.some((key) => operands.includes(key))) return true;
    return keys.some(
      (key) =>
        isSpokenFor(Number(key), sound) ||
        (measure?.kind === "share" && isSpokenFor(Number(key), sound * 100)),
    );
  });
}

/** One of the owner's, or one that the agent worked out before. */
function isPrice(key: string, { owner, visitor, agent }: Known): boolean {
  const isMoney = ({ measure }: Figure): boolean => measure?.kind === "money";
  if ([...owner.with(key), ...agent.with(key)].some(isMoney)) return true;
  // "Twelve seats are 228": the agent may leave the currency out, and a visitor may name any number.
  return isLarge(key) && visitor.with(key).length === 0 && agent.with(key).some(isPlain);
}

function isLarge(key: string): boolean {
  return !Number.isInteger(Number(key)) || Number(key) > 100;
}

function isPlain({ measure }: Figure): boolean {
  return measure === undefined;
}

function isKnownOperand({ key }: Operand, { owner, visitor, agent, today }: Known): boolean {
  const value = Number(key);
  if (owner.factors.has(key) || [owner, visitor, agent].some((told) => told.with(key).length > 0))
    return true;
  if (!Number.isInteger(value)) return value === 0.5 || value === 1.5;
  return CALENDAR.has(value) || value <= SMALL || value === today.getUTCDate();
}

/** Several of a price are a price, and two prices together. A half of it is none, and neither is a price and a number. */
function mayMakePrice({ key, role }: Operand, known: Known): boolean {
  const { owner, visitor } = known;
  const value = Number(key);
  if (isPrice(key, known)) return true;
  const isCount = visitor
    .with(key)
    .some(({ measure }) => measure?.kind !== "money" && measure?.kind !== "share");
  if (role === "divisor") return isCount || CALENDAR.has(value);
  const isOwn = owner.with(key).some(({ isCell }) => role === "factor" || isCell);
  return (
    isOwn ||
    (role === "factor" &&
      (isCount ||
        CALENDAR.has(value) ||
        owner.factors.has(key) ||
        (Number.isInteger(value) && value <= SMALL)))
  );
}

/** Days of a week and a month, hours, minutes, months and weeks of a year, and what makes a share. */
const CALENDAR = new Set([7, 12, 24, 30, 31, 52, 60, 100, 365]);
