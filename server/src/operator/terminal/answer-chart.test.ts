import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerChart, answerTimes } from "./answer-chart.ts";
import type { AnswerTimes } from "./answer-chart.ts";

const terminal = { width: 60, color: false, nowMs: 0 };

const spoken: AnswerTimes = {
  transcript_ms: 400,
  end_of_turn_ms: 500,
  first_token_ms: 750,
  first_audio_ms: 900,
  playback_ms: 1_000,
};

describe("the chart of answers", () => {
  it("draws a letter for each stretch of time, and says what half and nearly all took", () => {
    const answers = [
      { at: "00:09", times: spoken },
      { at: "00:21", times: { first_token_ms: 300, first_audio_ms: 450, playback_ms: 500 } },
      { at: "00:40", times: { ...spoken, playback_ms: 2_100 } },
    ];
    expect(answerChart(answers, terminal).join("\n")).toBe(
      `t transcript, e end of turn, m model, v voice, p playback; a
letter is 50 ms
00:09  tttttttteemmmmmvvvpp                        1,000 ms
00:21  mmmmmmvvvp                                    500 ms
00:40  tttttttteemmmmmvvvpppppppppppppppppppppppp  2,100 ms
p50 1,000 ms, p95 2,100 ms`,
    );
  });

  it("is what the page about latency shows", async () => {
    const page = await readFile(
      new URL("../../../../docs/operate/latency.md", import.meta.url),
      "utf8",
    );
    const times = (...[transcript_ms, end_of_turn_ms, ...rest]: number[]): AnswerTimes => ({
      ...answerTimes({ transcript_ms, end_of_turn_ms }),
      ...typed(...rest),
    });
    const typed = (...[first_token_ms, first_audio_ms, playback_ms]: number[]): AnswerTimes =>
      answerTimes({ first_token_ms, first_audio_ms, playback_ms })!;
    const answers = [
      { at: "00:09", times: times(300, 400, 720, 860, 940) },
      { at: "00:31", times: times(320, 400, 900, 1_020, 1_080) },
      { at: "00:52", times: typed(320, 460, 520) },
    ];
    const chart = answerChart(answers, { ...terminal, width: 80 });
    expect(page).toContain(`Answers\n${chart.join("\n")}\n`);
  });

  it("names only the stages that were passed", () => {
    const [legend] = answerChart([{ at: "00:01", times: { first_token_ms: 90 } }], terminal);
    expect(legend).toBe("m model; a letter is 10 ms");
  });

  it("marks a slow answer where there are colours", () => {
    const slow = [{ at: "00:01", times: { ...spoken, playback_ms: 2_100 } }];
    expect(answerChart(slow, { ...terminal, color: true })[1]).toContain("\u001b[33m2,100 ms");
  });

  it("is empty where nothing was measured", () => {
    expect(answerChart([], terminal)).toEqual([]);
    for (const detail of [undefined, {}, { transcript_ms: "canary" }, { playback_ms: -1 }, []]) {
      expect(answerTimes(detail)).toBeUndefined();
    }
    expect(answerTimes({ turn: "a1", ...spoken })).toEqual(spoken);
  });

  it("fits into the width, however long somebody waited", () => {
    const time = fc.option(fc.integer({ min: 0, max: 600_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            transcript_ms: time,
            end_of_turn_ms: time,
            first_token_ms: time,
            first_audio_ms: time,
            playback_ms: fc.integer({ min: 1, max: 600_000 }),
          }),
          { minLength: 1, maxLength: 20 },
        ),
        fc.integer({ min: 40, max: 200 }),
        (times, width) => {
          const answers = times.map((one) => ({ at: "00:01", times: present(one) }));
          for (const line of answerChart(answers, { ...terminal, width })) {
            for (const part of line.split("\n")) expect(part.length).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });
});

function present(times: Record<string, number | undefined>): AnswerTimes {
  return answerTimes(
    Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined)),
  )!;
}
