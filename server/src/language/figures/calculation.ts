/** An operand of a calculation, and how it is used there. */
export interface Operand {
  key: string;
  role: "term" | "factor" | "divisor";
}

/** The result of a calculation such as `12*189*0.9`; undefined where it is none, or an operand is not accepted. */
export function calculate(
  expression: string,
  accepts: (operand: Operand) => boolean,
): number | undefined {
  const tokens = expression.match(/\d+(?:[.,]\d+)?|[-+*/()×÷]|\S/g) ?? [];
  let at = 0;
  let isSound = true;
  const number = (role: Operand["role"]): number => {
    const token = tokens[at++] ?? "";
    if (token === "(") {
      const inner = sum(role);
      if (tokens[at++] !== ")") isSound = false;
      return inner;
    }
    const key = String(Number(token.replace(",", ".")));
    if (!/^\d/.test(token) || !accepts({ key, role })) isSound = false;
    return Number(key);
  };
  const product = (role: Operand["role"]): number => {
    const isProduct = /^[*/×÷]$/.test(tokens[at + 1] ?? "") || role !== "term";
    let value = number(isProduct && role === "term" ? "factor" : role);
    while (/^[*/×÷]$/.test(tokens[at] ?? "")) {
      const isTimes = /[*×]/.test(tokens[at++]!);
      const next = number(isTimes === (role !== "divisor") ? "factor" : "divisor");
      value = isTimes ? value * next : value / next;
    }
    return value;
  };
  const sum = (role: Operand["role"]): number => {
    let value = product(role);
    while (/^[-+]$/.test(tokens[at] ?? ""))
      value += tokens[at++] === "+" ? product(role) : -product(role);
    return value;
  };
  const value = sum("term");
  return isSound && at === tokens.length && Number.isFinite(value) ? value : undefined;
}

/** Whether people would say the one for the other: "around 253" for 253.33, "just under 16" for 15.8. */
export function isSpokenFor(spoken: number, exact: number): boolean {
  if (Math.abs(spoken - exact) <= Math.abs(exact) * 0.03) return true;
  return spoken === Number(exact.toPrecision(2));
}
