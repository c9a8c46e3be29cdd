import { DEFAULT_LIMITS } from "#accounts";
import { AgentFacts } from "@svc/contract/schemas";
import english from "@svc/contract/words/en.json" with { type: "json" };
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentConfig } from "../config/agent-config.ts";
import { plainConfig } from "../file/resolve-config.ts";
import type { AgentState } from "../versions/store.ts";
import { agentFacts, matchLanguage } from "./agent-facts.ts";

const facts = (config: Partial<AgentConfig>, state: AgentState = "live") =>
  agentFacts(
    {
      agentId: "agent_aa",
      version: 3,
      accountId: 1,
      state,
      config: { ...plainConfig("Linden"), ...config },
      accountLimits: DEFAULT_LIMITS,
    },
    ["text"],
    "https://api.example.com",
  );

describe("what a page learns of an agent", () => {
  it("has a notice in every language, the agent's own or a built-in one", () => {
    const codes = ["en", "de-AT", "fr", "es", "ja"];
    const { languages } = facts({
      languages: [{ code: "it", notice: "Parla un'IA." }, ...codes.map((code) => ({ code }))],
    });
    expect(languages[0]).toMatchObject({ code: "it", notice: "Parla un'IA." });
    const notices = languages.map(({ notice }) => notice);
    expect(notices[2]).toMatch(/KI.*aufbewahrt.*Ton/);
    expect(notices[3]).toMatch(/IA.*conservé.*son/);
    expect(notices[4]).toMatch(/IA.*guarda.*sonido/);
    expect(notices[1]).toMatch(/AI.*kept.*sound/);
    expect(notices[5]).toBe(notices[1]);
    expect(languages[2]!.notice_link).toEqual({
      text: "Wer hört mit?",
      url: "https://api.example.com/who-hears-you/agent_aa?language=de-AT",
    });
  });

  it("says where our texts are in a language that is not built in", () => {
    const wordsFile = {
      path: "languages/it.yaml",
      sha256: "ab".repeat(32),
      size: 3,
      mediaType: "",
    };
    const words = { ...english, language: "it", notice: "Parla un'IA." };
    const { languages } = facts({ languages: [{ code: "it", words, wordsFile }, { code: "ja" }] });
    expect(languages[0]).toMatchObject({
      code: "it",
      notice: "Parla un'IA.",
      words_url: `https://api.example.com/sdk/v1/agents/agent_aa/files/${"ab".repeat(32)}`,
    });
    // Of a version that is older than these texts.
    expect(languages[1]).toMatchObject({ code: "ja", notice: english.notice });
  });

  it("includes that the agent is paused, so that a page need not open a demo to find out", () => {
    expect(facts({}).paused).toBeUndefined();
    expect(AgentFacts.parse(facts({}, "paused")).paused).toBe(true);
  });

  it("fits the contract, and says where the logo is", () => {
    const logo = { path: "logo.svg", sha256: "ab".repeat(32), size: 3, mediaType: "image/svg+xml" };
    const given = facts({
      brand: {
        name: "Svc",
        logo,
        link: "https://svc.example.com",
        cta: { text: "Book a meeting", link: "https://cal.com/svc" },
        colors: { primary: "#0f766e" },
      },
      theme: "light",
      person: "mailto:sales@example.com",
    });
    expect(AgentFacts.parse(given)).toEqual(given);
    expect(given.brand.logo_url).toBe(
      `https://api.example.com/sdk/v1/agents/agent_aa/files/${"ab".repeat(32)}`,
    );
    expect(AgentFacts.parse(facts({}))).toMatchObject({
      name: "Linden",
      modes: ["text"],
      max_minutes: 20,
    });
  });

  it("says where the owner's own picture is", () => {
    const poster = { path: "face.png", sha256: "ab".repeat(32), size: 3, mediaType: "image/png" };
    const loop = { path: "face.mp4", sha256: "cd".repeat(32), size: 3, mediaType: "video/mp4" };
    const files = "https://api.example.com/sdk/v1/agents/agent_aa/files";
    const given = facts({ avatar: { poster, loop } });
    expect(AgentFacts.parse(given).avatar).toEqual({
      poster_url: `${files}/${"ab".repeat(32)}`,
      loop_url: `${files}/${"cd".repeat(32)}`,
    });
    expect(facts({ avatar: { poster } }).avatar).toEqual({
      poster_url: `${files}/${"ab".repeat(32)}`,
    });
    expect(facts({}).avatar).toBe("linden");
  });

  it("tells nothing of what the agent was told, knows, or is allowed", () => {
    const told = JSON.stringify(
      facts({
        persona: "canary",
        instructions: "canary",
        questions: [{ key: "canary", text: "canary" }],
        insights: [{ key: "canary", text: "canary" }],
        qualification: { qualified: "canary" },
        allowedOrigins: ["https://canary.example"],
        testOrigins: ["https://canary.example"],
        knowledge: [{ path: "canary.md", sha256: "canary", size: 1, mediaType: "text/markdown" }],
      }),
    );
    expect(told).not.toContain("canary");
  });
});

const agent = (...codes: string[]) => ({
  languages: codes.map((code) => ({ code })),
  defaultLanguage: codes[0]!,
});

describe("a visitor's language", () => {
  it.each([
    ["de", "de", "the same code"],
    ["pt-BR", "pt-BR", "the same code with its region"],
    ["de-AT", "de", "the language itself where the region is not there"],
    ["zh-Hant-TW", "zh-Hant", "as much of it as there is"],
    ["pt-PT", "pt-BR", "a sibling of another region"],
    ["pt", "pt-BR", "a region where the language itself is not there"],
    ["ja", "en", "the default where nothing fits"],
    ["d", "en", "the default for what only begins alike"],
  ])("%s becomes %s: %s", (wanted, got) => {
    expect(matchLanguage(wanted, agent("en", "de", "pt-BR", "zh-Hant"))).toBe(got);
  });

  it("prefers what is closer, wherever it stands in the list", () => {
    expect(matchLanguage("de-CH", agent("en", "de-AT", "de", "de-CH"))).toBe("de-CH");
    expect(matchLanguage("de-CH", agent("en", "de-AT", "de"))).toBe("de");
    expect(matchLanguage("de-CH", agent("en", "de-AT"))).toBe("de-AT");
  });

  it("is always one that the agent speaks", () => {
    const code = fc.constantFrom("en", "en-GB", "de", "de-AT", "pt-BR", "zh-Hant-TW", "", "-", "x");
    fc.assert(
      fc.property(code, fc.uniqueArray(code, { minLength: 1 }), (wanted, codes) => {
        expect(codes).toContain(matchLanguage(wanted, agent(...codes)));
      }),
    );
  });
});
