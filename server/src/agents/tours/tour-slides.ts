import type { ScreenshotSlide, Tour, TourFile, TourStep, TourText } from "@svc/contract/types";
import { translationPath } from "../file/file-references.ts";
import { matchLanguage } from "../visitor/agent-facts.ts";
import { textsOf } from "./read-tour.ts";

/** The languages, other than the default, for which a tour has texts or pictures of its own. */
export function tourLanguages(
  tour: TourFile,
  codes: string[],
  isFile: (path: string) => boolean,
): string[] {
  const inTexts = textsOf(tour).flatMap(([, text]) =>
    typeof text === "string" ? [] : Object.keys(text),
  );
  const inPictures = codes.filter((code) =>
    tour.steps.some(({ picture }) => isFile(translationPath(picture, code))),
  );
  return [...new Set([...inTexts, ...inPictures])];
}

/** A tour as the visitors of a language see it. Pictures are named by their paths. */
export function tourIn(
  tour: TourFile,
  language: string,
  defaultLanguage: string,
  isFile: (path: string) => boolean,
): Tour {
  const text = (given: TourText): string => textIn(given, language, defaultLanguage);
  return {
    steps: tour.steps.map(({ picture, title, caption, callouts, hotspot, zoom }) => {
      const own = translationPath(picture, language);
      const slide: ScreenshotSlide = {
        kind: "screenshot",
        ...(title !== undefined && { title: text(title) }),
        lead: text(caption),
        image: { file: isFile(own) ? own : picture },
        ...(callouts !== undefined && {
          callouts: callouts.map((one) => ({
            x: one.x,
            y: one.y,
            title: text(one.title),
            ...(one.text !== undefined && { text: text(one.text) }),
          })),
        }),
        ...(hotspot !== undefined && { hotspot }),
        ...(zoom !== undefined && { zoom }),
      };
      return slide;
    }),
  };
}

/** What a step shows, for the model. */
export function stepInWords({ title, lead = "", callouts = [] }: ScreenshotSlide): string {
  const places = callouts.map((one) => (one.text ? `${one.title}: ${one.text}` : one.title));
  return [...(title === undefined ? [] : [title]), lead, ...places].join(" · ");
}

function textIn(given: TourStep["caption"], language: string, defaultLanguage: string): string {
  if (typeof given === "string") return given.trim();
  const languages = Object.keys(given).map((code) => ({ code }));
  return given[matchLanguage(language, { languages, defaultLanguage })]!.trim();
}
