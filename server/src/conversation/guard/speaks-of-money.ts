/** A price, a share or a discount, by words of four languages. */
export function speaksOfMoney(text: string): boolean {
  return MONEY.test(text);
}

const MONEY =
  /[€$£¥%]|(?<!\p{L})(?:euros?|dollars?|cents?|pounds?|francs?|franken|pesos?|dólares|libras|usd|eur|gbp|chf|percent|prozent|pour cent|por ciento|discount|rabatt|remise|descuento)(?!\p{L})/iu;
