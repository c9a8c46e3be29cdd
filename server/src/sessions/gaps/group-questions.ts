/** A question by the stems of its words. */
export interface StemmedQuestion {
  stems: ReadonlySet<string>;
}

/** Questions about the same, as far as their words tell; each by itself otherwise. */
export function groupQuestions<Question extends StemmedQuestion>(
  questions: readonly Question[],
): Question[][] {
  const rarity = raritiesOf(questions);
  const groups: Group<Question>[] = [];
  /** By stem: the groups that have it. Comparing all with all would take minutes for thousands. */
  const having = new Map<string, Set<Group<Question>>>();
  for (const question of questions) {
    const weights = [...question.stems].map((stem): [string, number] => [stem, rarity(stem)]);
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    const likely = new Set([...question.stems].flatMap((stem) => [...(having.get(stem) ?? [])]));
    let [nearest, nearness] = [undefined as Group<Question> | undefined, SAME];
    for (const group of likely) {
      const shared = weights.reduce(
        (sum, [stem, weight]) => sum + weight * (group.sum.get(stem) ?? 0),
        0,
      );
      if (shared / (length * group.length) < nearness) continue;
      [nearest, nearness] = [group, shared / (length * group.length)];
    }
    const group = nearest ?? { questions: [], sum: new Map<string, number>(), length: 0 };
    if (nearest === undefined) groups.push(group);
    group.questions.push(question);
    for (const [stem, weight] of weights) {
      group.sum.set(stem, (group.sum.get(stem) ?? 0) + weight / length);
      having.set(stem, (having.get(stem) ?? new Set()).add(group));
    }
    group.length = Math.hypot(...group.sum.values());
  }
  return groups.map((group) => group.questions);
}

interface Group<Question> {
  questions: Question[];
  /** The sum of the questions' words: one that many of them have counts most. */
  sum: Map<string, number>;
  length: number;
}

/** Below, questions share little more than what visitors ask of everything: "Do you support …?" */
const SAME = 0.5;

/** A word that many questions have says little about any of them. */
function raritiesOf(questions: readonly StemmedQuestion[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { stems } of questions)
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => Math.log(1 + questions.length / counts.get(stem)!);
}
