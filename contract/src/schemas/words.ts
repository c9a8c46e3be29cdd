import * as z from "zod";
import type * as types from "../types/index.ts";
import { languageCode } from "./agent-values.ts";
import { schemaOf } from "./schema-of.ts";
import { text } from "./wire-values.ts";

function texts<Key extends string>(...keys: Key[]): Record<Key, z.ZodString> {
  return Object.fromEntries(keys.map((key) => [key, text])) as Record<Key, z.ZodString>;
}

export const TitledText: z.ZodType<types.TitledText> = schemaOf<types.TitledText>()(
  z.strictObject(texts("title", "text")),
);

export const PageTrouble: z.ZodType<types.PageTrouble> = schemaOf<types.PageTrouble>()(
  z.strictObject(texts("title", "why", "fix")),
);

export const SpokenWords: z.ZodType<types.SpokenWords> = schemaOf<types.SpokenWords>()(
  z.strictObject(
    texts(
      "greeting",
      "greeting_again",
      "not_understood",
      "sign_of_life",
      "was_gone",
      "one_moment",
      "technical_goodbye",
      "wrap_up_time",
      "wrap_up_cost",
      "do_not_know",
      "nudge",
    ),
  ),
);

export const PageWords: z.ZodType<types.PageWords> = schemaOf<types.PageWords>()(
  z.strictObject(texts("about", "collapse")),
);

export const FormWords: z.ZodType<types.FormWords> = schemaOf<types.FormWords>()(
  z.strictObject(texts("missing", "wrong")),
);

export const CallWords: z.ZodType<types.CallWords> = schemaOf<types.CallWords>()(
  z.strictObject(
    texts(
      "ai_guide",
      "invitation",
      "talk",
      "write",
      "type",
      "cancel",
      "language",
      "joining",
      "connecting",
      "listening",
      "thinking",
      "speaking",
      "reconnecting",
      "hears",
      "speaks",
      "muted",
      "allow",
      "mute",
      "voice_gone",
      "conversation",
      "you",
      "end",
      "restore",
      "close",
      "content_failed",
      "unreachable",
    ),
  ),
);

export const CardWords: z.ZodType<types.CardWords> = schemaOf<types.CardWords>()(
  z.strictObject({
    ...texts(
      "time_warning",
      "idle_warning",
      "end_question",
      "stay",
      "message",
      "send",
      "minimize",
      "about",
      "person",
      "person_short",
      "person_text",
      "email_title",
      "email_help",
      "email_label",
      "email_confirm",
      "email_dismiss",
      "email_invalid",
      "email_done",
      "email_instead",
      "email_doubt",
      "email_use",
      "email_correct",
      "email_right",
      "action_ask",
      "action_yes",
      "action_no",
      "microphone",
      "source",
      "test_session",
      "title",
      "next_mail",
      "next_noted",
      "next_without_email",
      "seen",
      "go_on",
      "copy",
      "copied",
      "not_copied",
      "rate",
      "stars",
      "rated",
      "close",
      "again",
      "trouble_title",
    ),
    reasons: z.strictObject(
      texts(
        "visitor_ended",
        "agent_ended",
        "silence",
        "max_duration",
        "max_cost",
        "visitor_gone",
        "server_fault",
      ),
    ),
    trouble: z.strictObject(
      texts(
        "agent_unknown",
        "agent_paused",
        "origin_not_allowed",
        "at_capacity",
        "too_many_starts",
        "daily_cap",
        "service_unavailable",
        "offline",
        "elsewhere",
        "moved",
      ),
    ),
  }),
);

export const MicrophoneWords: z.ZodType<types.MicrophoneWords> = schemaOf<types.MicrophoneWords>()(
  z.strictObject({
    ...texts("talk_again"),
    problems: z.strictObject({
      denied: TitledText,
      dismissed: TitledText,
      none: TitledText,
      busy: TitledText,
      insecure: TitledText,
      policy: TitledText,
      removed: TitledText,
      sound: TitledText,
    }),
    help: z.strictObject(
      texts("chrome", "chrome_phone", "firefox", "safari", "safari_phone", "other"),
    ),
    allowed: TitledText,
  }),
);

export const ContentWords: z.ZodType<types.ContentWords> = schemaOf<types.ContentWords>()(
  z.strictObject({
    ...texts("previous", "next", "enlarge", "open_video", "copy", "copied"),
    ...texts("place_ask", "place_open", "place_stay", "place_missing", "place_elsewhere"),
  }),
);

export const PreviewWords: z.ZodType<types.PreviewWords> = schemaOf<types.PreviewWords>()(
  z.strictObject(texts("ribbon", "invalid_title", "invalid", "close")),
);

export const MailWords: z.ZodType<types.MailWords> = schemaOf<types.MailWords>()(
  z.strictObject({
    follow_up: z.strictObject(
      texts(
        "subject",
        "thanks",
        "by_ai",
        "no_summary",
        "rights",
        "confirm",
        "why",
        "not_you",
        "unsubscribe",
      ),
    ),
    deletion: z.strictObject({
      ...texts("conversation", "everything", "copies", "receipt", "last"),
      subject: z.strictObject(texts("conversation", "everything")),
    }),
  }),
);

export const PersonWords: z.ZodType<types.PersonWords> = schemaOf<types.PersonWords>()(
  z.strictObject({
    rights: z.strictObject(
      texts(
        "title",
        "intro",
        "keep_link",
        "unconfirmed",
        "said",
        "you",
        "cut",
        "nothing_said",
        "kept",
        "address",
        "summary",
        "from_page",
        "assessment",
        "assessment_is",
        "heard",
        "heard_is",
        "until",
        "until_is",
        "download",
        "delete",
        "delete_conversation",
        "delete_everything",
      ),
    ),
    claim: z.strictObject(texts("title", "question", "yes", "not_you")),
    confirm: z.strictObject(
      texts(
        "conversation",
        "everything",
        "goes",
        "everything_goes",
        "final",
        "copies",
        "yes",
        "no",
      ),
    ),
    deleted: z.strictObject(
      texts("title", "conversation", "everything", "copies", "backups", "receipt", "receipt_is"),
    ),
    unsubscribe: z.strictObject({
      ...texts("title", "question", "yes", "done_title", "done"),
      unnamed: z.strictObject(texts("title", "question", "done")),
    }),
    dead_link: PageTrouble,
    too_many: PageTrouble,
    unavailable: PageTrouble,
  }),
);

export const RecipientWords: z.ZodType<types.RecipientWords> = schemaOf<types.RecipientWords>()(
  z.strictObject({
    ...texts(
      "link",
      "title",
      "intro",
      "brand_gets",
      "service_gets",
      "own",
      "services",
      "days",
      "no_days",
      "days_unknown",
      "privacy",
      "rights",
      "ask",
      "by_mail",
      "privacy_of",
      "version",
    ),
    purposes: z.strictObject(
      texts("answers", "hearing", "voice", "sound", "search", "assessment", "mail", "records"),
    ),
  }),
);

export const Words: z.ZodType<types.Words> = schemaOf<types.Words>()(
  z.strictObject({
    language: languageCode,
    notice: text,
    spoken: SpokenWords,
    page: PageWords,
    form: FormWords,
    call: CallWords,
    cards: CardWords,
    microphone: MicrophoneWords,
    content: ContentWords,
    preview: PreviewWords,
    mail: MailWords,
    person: PersonWords,
    recipients: RecipientWords,
  }),
);
