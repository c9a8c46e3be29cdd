import { currency } from "./tongue.ts";
import type { Tongue } from "./tongue.ts";

export const SPANISH: Tongue = {
  code: "es",
  signs: {
    "@": "arroba",
    ".": "punto",
    "-": "guion",
    _: "guion bajo",
    "+": "más",
    "/": "barra",
  },
  percent: "por ciento",
  to: "a",
  per: "por",
  number: "número",
  groupSign: ".",
  decimalSign: ",",
  currencies: {
    $: currency("dólar", "dólares", "centavo", "centavos"),
    "€": currency("euro", "euros", "céntimo", "céntimos"),
    "£": currency("libra", "libras", "penique", "peniques"),
    "¥": currency("yen", "yenes", "sen", "sen"),
    "₹": currency("rupia", "rupias", "paisa", "paisas"),
    CHF: currency("franco suizo", "francos suizos", "céntimo", "céntimos"),
  },
  withCents: (units, count) => `${units} con ${count}`,
  scales: {
    k: "mil",
    mil: "mil",
    M: "millones de",
    millón: "millón de",
    millones: "millones de",
  },
  periods: {},
  time: (hours, minutes) => (minutes === 0 ? `${hours}` : `${hours} y ${minutes}`),
  isDayFirst: true,
  readsPairs: false,
};
