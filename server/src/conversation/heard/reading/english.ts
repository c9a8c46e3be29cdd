import { currency } from "./tongue.ts";
import type { Tongue } from "./tongue.ts";

export const ENGLISH: Tongue = {
  code: "en",
  signs: { "@": "at", ".": "dot", "-": "dash", _: "underscore", "+": "plus", "/": "slash" },
  percent: "percent",
  to: "to",
  per: "per",
  number: "number",
  groupSign: ",",
  decimalSign: ".",
  currencies: {
    $: currency("dollar", "dollars", "cent", "cents"),
    "€": currency("euro", "euros", "cent", "cents"),
    "£": currency("pound", "pounds", "penny", "pence"),
    "¥": currency("yen", "yen", "sen", "sen"),
    "₹": currency("rupee", "rupees", "paisa", "paise"),
    CHF: currency("Swiss franc", "Swiss francs", "centime", "centimes"),
  },
  withCents: (units, count, { cent, cents }) =>
    `${units} and ${count} ${count === 1 ? cent : cents}`,
  scales: {
    k: "thousand",
    K: "thousand",
    thousand: "thousand",
    m: "million",
    M: "million",
    million: "million",
    bn: "billion",
    B: "billion",
    billion: "billion",
  },
  periods: { mo: "month", yr: "year", hr: "hour", h: "hour" },
  time(hours, minutes) {
    if (minutes === 0 && hours > 0 && hours <= 12) return `${hours} o'clock`;
    return minutes >= 10 ? `${hours} ${minutes}` : undefined;
  },
  isDayFirst: false,
  readsPairs: false,
};
