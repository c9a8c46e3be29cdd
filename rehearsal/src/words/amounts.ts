import { phrasePattern } from "./phrase-pattern.ts";

/** A number, in digits or in words. */
export const AMOUNT: RegExp =
  /\d|hundert|tausend|(?<!\p{L})(?:ten|twenty|fifty|hundreds?|thousands?|millions?|dozens?|zehn|zwanzig|fünfzig|millionen|dizaines?|vingt|cinquante|cents?|mille|milliers?|diez|veinte|cincuenta|cien|cientos|mil|miles|millón)(?!\p{L})/iu;

/** A month, a season, a "next week" or an "as soon as possible". */
export const TIME: RegExp = phrasePattern(
  `january, february, march, april, may, june, july, august, september, october, november, december,
  today, tomorrow, now, asap, soon, immediately, right away, next*, this week, this month, this quarter, this year,
  days, weeks, months, spring, summer, autumn, winter, q1, q2, q3, q4,
  januar, februar, märz, mai, juni, juli, oktober, dezember, heute, morgen, sofort, bald, möglichst, nächst*,
  tagen, wochen, monaten, dieses jahr, frühjahr, frühling, sommer, herbst, quartal,
  janvier, février, mars, avril, juin, juillet, août, septembre, octobre, novembre, décembre, aujourd'hui, demain,
  bientôt, dès que, tout de suite, plus tôt, prochain*, jours, semaines, cette année, printemps, été, automne, hiver,
  enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre, hoy, mañana,
  pronto, cuanto antes, enseguida, próxim*, días, semanas, meses, este año, primavera, verano, otoño, invierno`.split(
    ",",
  ),
);
