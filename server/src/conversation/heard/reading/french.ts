import { currency } from "./tongue.ts";
import type { Tongue } from "./tongue.ts";

export const FRENCH: Tongue = {
  code: "fr",
  signs: {
    "@": "arobase",
    ".": "point",
    "-": "tiret",
    _: "tiret bas",
    "+": "plus",
    "/": "slash",
  },
  percent: "pour cent",
  to: "à",
  per: "par",
  number: "numéro",
  groupSign: " ",
  decimalSign: ",",
  currencies: {
    $: currency("dollar", "dollars", "cent", "cents"),
    "€": currency("euro", "euros", "centime", "centimes"),
    "£": currency("livre", "livres", "penny", "pence"),
    "¥": currency("yen", "yens", "sen", "sen"),
    "₹": currency("roupie", "roupies", "paisa", "paisas"),
    CHF: currency("franc suisse", "francs suisses", "centime", "centimes"),
  },
  withCents: (units, count) => `${units} ${count}`,
  scales: {
    k: "mille",
    mille: "mille",
    M: "millions de",
    million: "million de",
    millions: "millions de",
    Md: "milliards de",
    milliards: "milliards de",
  },
  periods: {},
  time(hours, minutes) {
    const name = hours < 2 ? "heure" : "heures";
    return `${hours} ${name}${minutes === 0 ? "" : ` ${minutes}`}`;
  },
  isDayFirst: true,
  readsPairs: true,
};
