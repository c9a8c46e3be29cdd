import { currency } from "./tongue.ts";
import type { Tongue } from "./tongue.ts";

export const GERMAN: Tongue = {
  code: "de",
  // "at" would be read as a German word.
  signs: {
    "@": "ät",
    ".": "Punkt",
    "-": "Minus",
    _: "Unterstrich",
    "+": "plus",
    "/": "Schrägstrich",
  },
  percent: "Prozent",
  to: "bis",
  per: "pro",
  number: "Nummer",
  groupSign: ".",
  decimalSign: ",",
  currencies: {
    $: currency("Dollar", "Dollar", "Cent", "Cent"),
    "€": currency("Euro", "Euro", "Cent", "Cent"),
    "£": currency("Pfund", "Pfund", "Penny", "Pence"),
    "¥": currency("Yen", "Yen", "Sen", "Sen"),
    "₹": currency("Rupie", "Rupien", "Paisa", "Paise"),
    CHF: currency("Franken", "Franken", "Rappen", "Rappen"),
  },
  withCents: (units, count) => `${units} ${count}`,
  scales: {
    k: "tausend",
    "Tsd.": "tausend",
    Tausend: "tausend",
    tausend: "tausend",
    M: "Millionen",
    "Mio.": "Millionen",
    Mio: "Millionen",
    Millionen: "Millionen",
    "Mrd.": "Milliarden",
    Mrd: "Milliarden",
    Milliarden: "Milliarden",
  },
  periods: {},
  time: (hours, minutes) => `${hours} Uhr${minutes === 0 ? "" : ` ${minutes}`}`,
  isDayFirst: true,
  readsPairs: false,
};
