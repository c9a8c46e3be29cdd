import { posix } from "node:path";
import schema from "@svc/contract/tour.schema.json" with { type: "json" };
import * as schemas from "@svc/contract/schemas";
import type { TourFile, TourText } from "@svc/contract/types";
import { explainIssue } from "../file/explain-issue.ts";
import { locatedYaml } from "../file/located-yaml.ts";
import { onePerField } from "../file/mistake.ts";

/** A problem in a tour's own file. */
export interface TourProblem {
  line: number;
  column: number;
  field?: PropertyKey[];
  message: string;
}

/** What a `tour.yaml` says, or what is wrong with it. */
export type ReadTour = { tour: TourFile; pictures: TourPicture[] } | { problems: TourProblem[] };

/** A picture, by its path in the agent's folder, and where it is named. */
export interface TourPicture extends Omit<TourProblem, "message"> {
  path: string;
}

/**
 * @param path of the file, which the paths in it are relative to. In what is returned they are those in the agent's folder.
 * @param language the agent's default: every text must be there in it
 */
export function readTour(source: string, path: string, language: string): ReadTour {
  const yaml = locatedYaml(source);
  const parsed = schemas.TourFile.safeParse(yaml.value);
  const issues = yaml.value === undefined ? [] : (parsed.error?.issues ?? []);
  const problems = issues
    .flatMap((issue) => explainIssue(issue, yaml.value, schema))
    .map(({ path: field, message }) => ({ field, message }));
  const texts = parsed.success ? textProblems(parsed.data, language) : [];
  const located = onePerField([...problems, ...texts]).map(({ field, message }) => ({
    ...yaml.locate(field),
    field,
    message,
  }));
  const all = [
    ...yaml.faults.map(({ path: field, ...fault }) => ({ ...fault, field })),
    ...located,
  ];
  if (all.length > 0 || !parsed.success) return { problems: all };
  const steps = parsed.data.steps.map((step) => ({
    ...step,
    picture: posix.join(posix.dirname(path), step.picture),
  }));
  const pictures = steps.map(({ picture }, index) => {
    const field = ["steps", index, "picture"];
    return { path: picture, ...yaml.locate(field), field };
  });
  return { tour: { steps }, pictures };
}

/** Every text of a tour, and its field. */
export function textsOf({ steps }: TourFile): [field: PropertyKey[], text: TourText][] {
  return steps.flatMap(({ title, caption, callouts = [] }, index) => {
    const inCallouts = callouts.flatMap((one, place) =>
      (["title", "text"] as const).map((name) => [["callouts", place, name], one[name]] as const),
    );
    const own = [[["title"], title] as const, [["caption"], caption] as const, ...inCallouts];
    return own.flatMap(([field, text]): [PropertyKey[], TourText][] =>
      text === undefined ? [] : [[["steps", index, ...field], text]],
    );
  });
}

/** A text that is there in several languages must be there in all of the tour's: one that was forgotten is a mistake. */
function textProblems(
  tour: TourFile,
  language: string,
): { field: PropertyKey[]; message: string }[] {
  const texts = textsOf(tour).flatMap(([field, text]) =>
    typeof text === "string" ? [] : [{ field, codes: Object.keys(text) }],
  );
  const all = [...new Set([language, ...texts.flatMap(({ codes }) => codes)])];
  return texts.flatMap(({ field, codes }) => {
    const missing = all.filter((code) => !codes.includes(code));
    if (missing.length === 0) return [];
    const why = missing.includes(language)
      ? `${language} is the agent's default language`
      : "other texts of this tour have one";
    const message = `There is no text in ${missing.join(", ")} here, and ${why}. Add it.`;
    return [{ field, message }];
  });
}
