import type { ConsoleFigures, ConsoleStatus, DayFigures, TimeSpread } from "@svc/contract/types";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { count, money, waited } from "./format.ts";

/** More boxes than this say nothing. */
const MOST_SEATS = 80;
/** What visitors put up with: an answer within two seconds, silence within half a second. */
const LIMITS_MS = { answers: 2_000, interruptions: 500 };

/** How visitors are served now, how fast they were, and what a lead cost. */
export function Cards(props: { figures: ConsoleFigures; status: ConsoleStatus }): ReactNode {
  const figures = { ...props.figures, days: everyDay(props.figures.days) };
  const { status } = props;
  const { live, evaluations } = status;
  const { failed, cost_micros: cost, cost_is_partial: isPartial } = figures.total;
  const atLeast = isPartial ? "≥ " : "";
  return (
    <div className="cards">
      <div>
        Live now
        <p className="figure">
          {count(live.sessions)} <small>of {count(live.capacity)} calls</small>
        </p>
        <div className="seats" aria-hidden="true">
          {Array.from({ length: Math.min(live.capacity, MOST_SEATS) }, (_, index) => (
            <i key={index} className={index < live.sessions ? "taken" : ""} />
          ))}
        </div>
        <p className="quiet">
          {count(evaluations.waiting)} wait for an evaluation, {count(evaluations.running)} under
          way
          {evaluations.model_away > 0 && `, ${count(evaluations.model_away)} until a model answers`}
        </p>
        {failed > 0 && (
          <Link className="link" to="/sessions" search={{ status: "error" }}>
            {count(failed)} not evaluated
          </Link>
        )}
      </div>
      <Waits title="An answer begins after" part="answers" figures={figures} />
      <Waits title="Silent after an interruption" part="interruptions" figures={figures} />
      <div>
        Cost per qualified lead
        <p className="figure">{perLead(figures.total)}</p>
        <p className="quiet">
          {atLeast}
          {money(cost)} in all{isPartial && ", some use has no price"}
        </p>
        <Plot
          label="Cost per qualified lead by day"
          lines={[{ name: "", values: figures.days.map(costOf), strong: true }]}
          days={figures.days}
          format={money}
        />
      </div>
    </div>
  );
}

const DAY_MS = 86_400_000;

/** From the first day to the last: those on which nobody came are not in the answer, but have their place in a plot. */
function everyDay(days: DayFigures[]): DayFigures[] {
  const known = new Map(days.map((one) => [one.day, one]));
  const [firstMs, lastMs] = [days[0], days.at(-1)].map((one) => Date.parse(one?.day ?? ""));
  const length = days.length === 0 ? 0 : (lastMs! - firstMs!) / DAY_MS + 1;
  return Array.from({ length }, (_, index) => {
    const day = new Date(firstMs! + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { ...NOBODY, day };
  });
}

const NOBODY = {
  started: 0,
  unanswered: 0,
  qualified: 0,
  delivered: 0,
  failed: 0,
  cost_micros: 0,
  cost_is_partial: false,
};

/** A dash where nobody qualified: divided by none, it would be no cost at all. */
export function perLead(figures: {
  qualified: number;
  cost_micros: number;
  cost_is_partial: boolean;
}): string {
  const cost = costOf(figures);
  return cost === undefined ? "–" : `${figures.cost_is_partial ? "≥ " : ""}${money(cost)}`;
}

function costOf(figures: { qualified: number; cost_micros: number }): number | undefined {
  return figures.qualified === 0 ? undefined : figures.cost_micros / figures.qualified;
}

function Waits(props: {
  title: string;
  part: "answers" | "interruptions";
  figures: ConsoleFigures;
}): ReactNode {
  const { title, part, figures } = props;
  const total: TimeSpread | undefined = figures.total[part];
  const { days } = figures;
  return (
    <div>
      {title}
      <p className="figure">{total === undefined ? "–" : waited(total.p50_ms)}</p>
      <p className="quiet">
        {total === undefined
          ? "Nothing was timed yet"
          : `the median of ${count(total.count)}; 95 % within ${waited(total.p95_ms)}`}
      </p>
      <Plot
        label={`${title}, by day`}
        lines={[
          { name: "95 %", values: days.map((one) => one[part]?.p95_ms), strong: false },
          { name: "median", values: days.map((one) => one[part]?.p50_ms), strong: true },
        ]}
        limit={LIMITS_MS[part]}
        days={days}
        format={waited}
      />
    </div>
  );
}

interface Line {
  name: string;
  /** Undefined on days without any: the line has a gap there. */
  values: (number | undefined)[];
  strong: boolean;
}

/** The height is that of the style sheet in pixels, so that names stand beside their lines. */
const [WIDTH, HEIGHT] = [200, 64];

/** Lines over days that begin at zero, named where they end. Read aloud, it is a list of its points. */
function Plot(props: {
  label: string;
  lines: Line[];
  limit?: number;
  days: DayFigures[];
  format: (value: number) => string;
}): ReactNode {
  const { label, lines, limit = 0, days, format } = props;
  const values = lines.flatMap((line) => line.values).filter((value) => value !== undefined);
  if (days.length < 2 || values.length === 0) return null;
  const highest = Math.max(limit, ...values) * 1.1;
  const x = (index: number): number => (index / (days.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - (value / highest) * HEIGHT;
  const points = days.map(({ day }, index) => {
    const each = lines.flatMap(({ name, values: own }) =>
      own[index] === undefined ? [] : [`${name} ${format(own[index])}`],
    );
    return `${day}: ${each.join(", ") || "none"}`;
  });
  return (
    <figure className="plot">
      <div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label}. ${points.join("; ")}`}
        >
          {limit > 0 && <path className="limit" d={`M0 ${y(limit)}H${WIDTH}`} />}
          {lines.map((line) => (
            <path key={line.name} className={line.strong ? "strong" : ""} d={pathOf(line, x, y)} />
          ))}
          <path className="axis" d={`M0 ${HEIGHT}H${WIDTH}`} />
        </svg>
        {limit > 0 && (
          <span className="bound" style={{ top: y(limit) }}>
            limit {format(limit)}
          </span>
        )}
        <span className="names" aria-hidden="true">
          {apart(
            lines.flatMap(({ name, values: own, strong }) => {
              const last = own.findLast((value) => value !== undefined);
              return last === undefined
                ? []
                : [{ text: `${name} ${format(last)}`.trim(), top: y(last), strong }];
            }),
          ).map(({ text, top, strong }) => (
            <span key={text} className={strong ? "strong" : ""} style={{ top }}>
              {text}
            </span>
          ))}
        </span>
      </div>
      <figcaption>
        <span>{dayName(days[0]!.day)}</span>
        <span>{dayName(days.at(-1)!.day)}</span>
      </figcaption>
    </figure>
  );
}

/** As high as a name: lines that end closer to each other would be named on top of each other. */
const NAME_PX = 15;

function apart<T extends { top: number }>(names: T[]): T[] {
  let least = 0;
  return names
    .toSorted((one, other) => one.top - other.top)
    .map((name) => {
      const top = Math.max(least, name.top);
      least = top + NAME_PX;
      return { ...name, top };
    });
}

function pathOf(
  { values }: Line,
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, index) => {
      if (value === undefined) return "";
      // A day between two gaps is a dot.
      const isAlone = values[index - 1] === undefined && values[index + 1] === undefined;
      return `${values[index - 1] === undefined ? "M" : "L"}${x(index)} ${y(value)}${isAlone ? "h1" : ""}`;
    })
    .join("");
}

function dayName(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
}
