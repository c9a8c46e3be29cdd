import type { ConsoleFunnel } from "@svc/contract/types";
import type { ReactNode } from "react";
import { count, titleOf } from "./format.ts";
import { Empty } from "./ui.tsx";

const STEPS: Record<string, string> = {
  button_viewed: "Button seen",
  opened: "Opened",
  form: "Form",
  started: "Accepted",
  microphone: "Microphone",
  talked: "First words",
  email_given: "Email",
  evaluated: "Evaluated",
  qualified: "Qualified",
  delivered: "Delivered",
};

/** As what a share is taken of, which must fit below a bar. */
const SHORT: Record<string, string> = { button_viewed: "seen" };

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/**
 * Bars that begin at zero and share one scale, each with its number and its share of an earlier step.
 * What it is divided by stands below, in the same columns.
 */
export function Funnel(props: { funnel: ConsoleFunnel; by: string | undefined }): ReactNode {
  const { by, funnel } = props;
  // Where no page asks for anything first, nobody can fill in a form.
  const steps = funnel.steps.filter(({ step, count: made }) => step !== "form" || made > 0);
  if (steps.every((step) => step.count === 0)) {
    return (
      <Empty icon="overview" title="Nobody has come by yet">
        Visitors are counted from the moment a page shows the demo&apos;s button. Sessions appear
        when they accept the notice.
      </Empty>
    );
  }
  // Many more see a button than open it: its bar is cut, so that the others can be compared.
  const [buttons = 0, ...others] = steps.map((step) => step.count);
  const highest = Math.max(1, ...others);
  const rows = funnel.rows ?? [];
  return (
    <div className="table" tabIndex={0} role="group" aria-label="Steps of the funnel">
      <table className={rows.length > 0 ? "funnel parted" : "funnel"}>
        <thead>
          <tr>
            {rows.length > 0 && <th>{titleOf(by ?? "")}</th>}
            {steps.map((step, index) => (
              <th key={step.step} scope="col">
                {STEPS[step.step]}
                <b>{count(step.count)}</b>
                <i
                  className={index === 0 && buttons > highest ? "bar cut" : "bar"}
                  style={{ "--share": Math.min(1, step.count / highest) } as Record<string, number>}
                />
                <span>
                  {step.share === undefined ? (
                    index === 0 && buttons > highest && "bar cut"
                  ) : (
                    <>
                      <b>{percent(step.share)}</b>
                      <small>
                        of {SHORT[step.of ?? ""] ?? STEPS[step.of ?? ""]?.toLowerCase()}
                      </small>
                    </>
                  )}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.value ?? ""}>
              <th scope="row">{row.name ?? row.value ?? "Not known"}</th>
              {steps.map(({ step }) => (
                <td key={step} data-title={STEPS[step]}>
                  {row.counts[step] === undefined ? "" : count(row.counts[step])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
