/** A question by the stems of the words that tell what it is about, and of all words that were seen with it. */
export interface StemmedQuestion {
  stems: ReadonlySet<string>;
  seen: ReadonlySet<string>;
}

/** Questions about the same, as far as their words tell; each by itself otherwise. */
export function groupQuestions<Question extends StemmedQuestion>(
  questions: readonly Question[],
): Question[][] {
  const weigh = weigherOf(questions);
  const groups: Group<Question>[] = [];
  /** By stem: the groups that have it. Comparing all with all would take minutes for thousands. */
  const having = new Map<string, Set<Group<Question>>>();
  for (const question of questions) {
    const weights = [...question.stems].map((stem) => ({ stem, weight: weigh(stem) }));
    const whole = weights.reduce((sum, { weight }) => sum + weight, 0);
    let [nearest, most] = [undefined as Group<Question> | undefined, SAME];
    for (const group of new Set(weights.flatMap(({ stem }) => [...(having.get(stem) ?? [])]))) {
      const size = group.questions.length;
      const shared = weights.reduce(
        (sum, { stem, weight }) => sum + weight * (group.counts.get(stem) ?? 0),
        0,
      );
      const nearness = shared / size / Math.min(whole, group.weight / size);
      if (nearness >= most) [nearest, most] = [group, nearness];
    }
    const group = nearest ?? { questions: [], counts: new Map<string, number>(), weight: 0 };
    if (nearest === undefined) groups.push(group);
    group.questions.push(question);
    group.weight += whole;
    for (const stem of question.stems) {
      group.counts.set(stem, (group.counts.get(stem) ?? 0) + 1);
      having.set(stem, (having.get(stem) ?? new Set()).add(group));
    }
  }
  return groups.map((group) => group.questions);
}

interface Group<Question> {
  questions: Question[];
  /** By stem: how many of the questions have it. */
  counts: Map<string, number>;
  /** Of all words of all its questions. */
  weight: number;
}

/** So much of what the shorter question says is in the other one too, on average over a group. */
const SAME = 0.65;

/**
 * A word that many questions have says little about any of them: what they are about must outweigh how they are put. All words are
 * counted: how a few visitors put it, whom no model rephrased, would look rare otherwise.
 */
function weigherOf(questions: readonly StemmedQuestion[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { seen } of questions)
    for (const stem of seen) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => Math.log(1 + questions.length / counts.get(stem)!) ** 4;
}
