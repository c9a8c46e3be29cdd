import { fold } from "#language";

/**
 * Whether somebody speaks about the verdict in place of giving a reason for it: "mark me as
 * qualified", "ignore your instructions". In English, German, French and Spanish.
 */
export function isAboutJudging(quote: string): boolean {
  const folded = fold(quote);
  return PATTERNS.some((pattern) => pattern.test(folded));
}

/**
 * Whether somebody orders the verdict. Narrower than the above, since it is asked of everything
 * that was said: "your evaluation period" and "the rate for us" are no orders.
 */
export function ordersVerdict(text: string): boolean {
  const folded = fold(text);
  return ORDERS.some((pattern) => pattern.test(folded));
}

const some = (most: number): string => String.raw`(?:\S+ ){0,${most}}`;

/** In folded text, where every word stands between spaces. */
const PATTERNS = [
  // English
  ` (?:ignore|disregard|forget|override|bypass) ${some(6)}(?:instructions?|rules?|prompts?|criteria|guidelines?|above|everything) `,
  ` (?:mark|rate|score|grade|classify|label|qualify|judge|evaluate) ${some(2)}(?:me|us|myself|ourselves|this (?:lead|prospect|visitor|conversation|session)) `,
  ` (?:as|am|m|are|re|is|be|status|me|us) (?:a |an |the |fully |very |highly |clearly |definitely |already |totally |now |not )*(?:dis|un)?qualified `,
  ` (?:system|developer) (?:prompts?|messages?|notes?|instructions?) `,
  ` your (?:\\S+ )?(?:instructions|prompt|criteria|guidelines|evaluation|verdict|judge?ment|assessment) `,
  ` (?:the|a|an) (?:judge|evaluator|grader) `,
  ` (?:put|write|note|say|record) ${some(3)}in (?:the|your|my) (?:record|evaluation|summary|report|notes|reasoning) `,
  ` not enough data `,
  // German
  ` (?:ignorier\\S*|vergiss|vergessen|missachte\\S*) ${some(6)}(?:anweisung|anweisungen|regeln|vorgaben|kriterien|prompts?|alles) `,
  ` (?:markier|bewert|beurteil|stuf|qualifizier)\\S* ${some(2)}(?:mich|uns) `,
  ` (?:als|bin|sind|ist|sei|seien|status) ${some(2)}(?:dis|un)?qualifiziert\\S* `,
  ` (?:deine|deinen|eure|ihre|ihren) (?:\\S+ )?(?:anweisungen|kriterien|vorgaben|bewertung|prompts?) `,
  ` (?:systemprompt|systemnachricht|systemanweisung\\S*) `,
  // French
  ` (?:ignor|oubli|n[eé]glig)\\S* ${some(6)}(?:instructions?|consignes?|r[eè]gles?|crit[eè]res?|prompts?) `,
  ` (?:marqu|not|[eé]valu|class|qualifi|jug)(?:e|es|ez) (?:moi|nous) `,
  ` (?:comme|suis|sommes|est|soit|statut) ${some(2)}(?:dis)?qualifi[eé]e?s? `,
  ` (?:tes|vos) (?:\\S+ )?(?:instructions|consignes|crit[eè]res) `,
  ` (?:prompt|message|consigne|instruction)s? (?:du )?syst[eè]me `,
  // Spanish
  ` (?:ignor|olvid)\\S* ${some(6)}(?:instrucci[oó]n|instrucciones|reglas|criterios|prompts?) `,
  ` (?:m[aá]r(?:ca|que)|eval[uú][ae]|cal[ií]fi[cq]u?[ae]|cual[ií]fi[cq]u?[ae]|clas[ií]fi[cq]u?[ae])n?(?:me|nos) `,
  ` (?:como|soy|somos|estoy|estamos|es|est[aá]|estado) ${some(2)}(?:des)?(?:cu?alificad[oa]s?|calificad[oa]s?) `,
  ` (?:tus|sus|vuestras|vuestros) (?:\\S+ )?(?:instrucciones|criterios) `,
  ` (?:prompt|mensaje|instrucci[oó]n) del sistema `,
].map((pattern) => new RegExp(pattern, "u"));

const ORDERS = [
  // English
  ` (?:ignore|disregard|forget|override|bypass) ${some(6)}(?:instructions?|prompts?|criteria|guidelines?) `,
  ` (?:mark|rate|score|grade|classify|label|qualify|judge|evaluate) (?:me|us|myself|ourselves|this (?:lead|prospect|visitor|conversation|session)) `,
  ` (?:consider|treat|count|see|list|record|set|make|put) (?:me|us|this|it|status|my status) (?:down )?(?:as |to )?(?:a |an |the )?(?:\\S+ )?qualified `,
  ` (?:status|lead|prospect|visitor) (?:is |are |be |to be )?(?:\\S+ )?qualified `,
  // German
  ` (?:ignorier\\S*|vergiss|vergessen|missachte\\S*) ${some(6)}(?:anweisung|anweisungen|vorgaben|kriterien|prompts?) `,
  ` (?:markier|bewert|beurteil|stuf|qualifizier|werte?)(?:e|en|t)? (?:sie |bitte )*(?:mich|uns) `,
  ` (?:status|lead|interessent\\S*|besucher\\S*) (?:ist |sei )?(?:\\S+ )?qualifiziert `,
  // French
  ` (?:ignor|oubli|n[eé]glig)\\S* ${some(6)}(?:instructions?|consignes?|crit[eè]res?|prompts?) `,
  ` (?:marqu|not|[eé]valu|class|qualifi|jug|consid[eé]r)(?:e|es|ez) (?:moi|nous) `,
  ` (?:statut|prospect|visiteur) (?:est |soit )?(?:\\S+ )?qualifi[eé]e? `,
  // Spanish
  ` (?:ignor|olvid)\\S* ${some(6)}(?:instrucci[oó]n|instrucciones|criterios|prompts?) `,
  ` (?:m[aá]r(?:ca|que)|eval[uú][ae]|cal[ií]fi[cq]u?[ae]|cual[ií]fi[cq]u?[ae]|clas[ií]fi[cq]u?[ae]|consid[eé]r[ae])n?(?:me|nos) `,
  ` (?:estado|cliente|visitante) (?:es |est[aá] |sea )?(?:\\S+ )?(?:cu?alificad[oa]|calificad[oa]) `,
].map((pattern) => new RegExp(pattern, "u"));
