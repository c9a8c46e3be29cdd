/** Unix time with fractions. Moves evenly, whatever is done to the machine's clock. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
