-- The schema after all migrations. Made by `npm run schema`, checked by the database tests.

-- PostgreSQL database dump

\restrict schema

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

-- Name: digest_is_due(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.digest_is_due() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_TABLE_NAME = 'sessions' THEN
    INSERT INTO session_digests_due (session_id) VALUES (NEW.id);
  ELSE
    INSERT INTO session_digests_due (session_id) VALUES (NEW.session_id);
  END IF;
  RETURN NULL;
END $$;

-- Name: make_log_partitions(date); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.make_log_partitions(day date) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  log text;
  partition text;
  first_at text := day::text || ' 00:00:00+00';
  end_at text := (day + 1)::text || ' 00:00:00+00';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_log_partitions'));
  FOREACH log IN ARRAY ARRAY['turns', 'session_events'] LOOP
    partition := log || to_char(day, '"_"YYYYMMDD');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    IF day <= (now() AT TIME ZONE 'UTC')::date THEN
      PERFORM set_config('lock_timeout', '500ms', true);
      EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', log);
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition, log);
    EXECUTE format('WITH early AS (DELETE FROM %I WHERE session_at >= %L AND session_at < %L RETURNING *) INSERT INTO %I SELECT * FROM early',
      log || '_default', first_at, end_at, partition);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', log, partition, first_at, end_at);
  END LOOP;
END
$$;

-- Name: metadata_email(json); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.metadata_email(metadata json) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT left(lower(btrim(metadata ->> 'email')), 300) $$;

-- Name: next_stamp(timestamp with time zone, integer, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.next_stamp(last_at timestamp with time zone, in_second integer, now timestamp with time zone, OUT at timestamp with time zone, OUT count integer) RETURNS record
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  SELECT nudged.at,
    CASE WHEN date_trunc('second', nudged.at) = date_trunc('second', last_at) THEN in_second + 1 ELSE 1 END
  FROM (SELECT greatest(date_trunc('milliseconds', now), last_at + interval '1 millisecond') AS at) AS earliest
  CROSS JOIN LATERAL (SELECT CASE
      WHEN in_second >= 99 AND date_trunc('second', earliest.at) = date_trunc('second', last_at)
      THEN date_trunc('second', last_at) + interval '1 second'
      ELSE earliest.at
    END AS at) AS spread
  CROSS JOIN LATERAL (SELECT CASE
      WHEN spread.at = date_trunc('second', spread.at) THEN spread.at + interval '1 millisecond'
      ELSE spread.at
    END AS at) AS nudged
$$;

-- Name: refuse_change(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '% rows never change: write a new version instead', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END
$$;

-- Name: session_deadline(timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.session_deadline(ended_at timestamp with time zone, evaluate_by timestamp with time zone, connected_at timestamp with time zone, connect_by timestamp with time zone, converse_by timestamp with time zone, return_by timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE
    WHEN ended_at IS NOT NULL THEN evaluate_by
    WHEN connected_at IS NULL THEN connect_by
    ELSE least(converse_by, return_by)
  END
$$;

-- Name: tally_digests(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.tally_digests() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  sign CONSTANT integer := TG_ARGV[0]::integer;
BEGIN
  INSERT INTO session_tallies AS t
  SELECT dimension, (created_at AT TIME ZONE 'UTC')::date, agent_id, coalesce(value, ''),
    sign * count(*) FILTER (WHERE counts), sign * count(*) FILTER (WHERE counts AND microphone),
    sign * count(*) FILTER (WHERE counts AND talked), sign * count(*) FILTER (WHERE counts AND email_given),
    sign * count(*) FILTER (WHERE counts AND evaluated), sign * count(*) FILTER (WHERE counts AND qualified),
    sign * count(*) FILTER (WHERE counts AND delivered), sign * count(*) FILTER (WHERE counts AND failed),
    sign * sum(cost_micros), sign * count(*) FILTER (WHERE unpriced), sign * count(*) FILTER (WHERE counts AND unanswered)
  FROM changed
  CROSS JOIN LATERAL (VALUES ('all', ''), ('version', version), ('page', page), ('language', language),
    ('entry', entry), ('device', device)) AS counted (dimension, value)
  WHERE counts OR dimension = 'all'
  GROUP BY 1, 2, 3, 4
  -- Whoever adds to the same rows locks them in the same order.
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (dimension, day, agent_id, value) DO UPDATE SET
    started = t.started + excluded.started, microphone = t.microphone + excluded.microphone, talked = t.talked + excluded.talked,
    email_given = t.email_given + excluded.email_given, evaluated = t.evaluated + excluded.evaluated,
    qualified = t.qualified + excluded.qualified, delivered = t.delivered + excluded.delivered, failed = t.failed + excluded.failed,
    cost_micros = t.cost_micros + excluded.cost_micros, unpriced = t.unpriced + excluded.unpriced,
    unanswered = t.unanswered + excluded.unanswered;
  INSERT INTO session_times AS t
  SELECT kind, (created_at AT TIME ZONE 'UTC')::date, agent_id, ms, sign * count(*)
  FROM changed
  CROSS JOIN LATERAL (
    SELECT 'answer' AS kind, unnest(answers_ms) AS ms UNION ALL SELECT 'cut', unnest(cuts_ms)
  ) AS timed
  WHERE counts
  GROUP BY 1, 2, 3, 4
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (kind, day, agent_id, ms) DO UPDATE SET count = t.count + excluded.count;
  RETURN NULL;
END $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

-- Name: account_clocks; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.account_clocks (
    account_id integer NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    in_second smallint NOT NULL,
    CONSTRAINT account_clocks_in_second_check CHECK (((in_second >= 0) AND (in_second <= 99)))
)
WITH (fillfactor='50');

-- Name: accounts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.accounts (
    id integer NOT NULL,
    client_id text NOT NULL,
    name text NOT NULL,
    export_mode text DEFAULT 'settled_prefix'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    default_agent_id text,
    contact_email text,
    retention_days integer DEFAULT 365 NOT NULL,
    follow_up boolean DEFAULT false NOT NULL,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    confirm_transcript boolean DEFAULT true NOT NULL,
    CONSTRAINT accounts_export_mode_check CHECK ((export_mode = ANY (ARRAY['settled_prefix'::text, 'as_available'::text]))),
    CONSTRAINT accounts_limits_check CHECK ((jsonb_typeof(limits) = 'object'::text)),
    CONSTRAINT accounts_retention_days_check CHECK (((retention_days >= 1) AND (retention_days <= 3650)))
);

-- Name: COLUMN accounts.client_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.accounts.client_id IS 'not personal: the account''s public identifier';

-- Name: COLUMN accounts.name; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.accounts.name IS 'not personal: the customer''s company';

-- Name: COLUMN accounts.export_mode; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.accounts.export_mode IS 'not personal: a setting';

-- Name: COLUMN accounts.default_agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.accounts.default_agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN accounts.contact_email; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.accounts.contact_email IS 'personal: where mail about the account goes · until the operator changes it · the operator, and the mail server';

-- Name: COLUMN accounts.limits; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.accounts.limits IS 'not personal: settings';

-- Name: accounts_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: agent_days; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.agent_days (
    agent_id text NOT NULL,
    day date NOT NULL,
    starts integer DEFAULT 0 NOT NULL,
    cost_micros bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

-- Name: COLUMN agent_days.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_days.agent_id IS 'not personal: an agent''s identifier';

-- Name: agent_files; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.agent_files (
    sha256 bytea NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT agent_files_check CHECK ((sha256 = sha256(bytes)))
);
ALTER TABLE ONLY public.agent_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Name: COLUMN agent_files.sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_files.sha256 IS 'not personal: hash of a file';

-- Name: COLUMN agent_files.bytes; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_files.bytes IS 'not personal: what the customer wrote for its agent';

-- Name: agent_version_files; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.agent_version_files (
    agent_id text NOT NULL,
    version integer NOT NULL,
    path text NOT NULL,
    sha256 bytea NOT NULL
);

-- Name: COLUMN agent_version_files.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_version_files.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN agent_version_files.path; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_version_files.path IS 'not personal: a file''s name';

-- Name: COLUMN agent_version_files.sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_version_files.sha256 IS 'not personal: hash of a file';

-- Name: agent_versions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.agent_versions (
    agent_id text NOT NULL,
    version integer NOT NULL,
    config json NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    created_by text NOT NULL,
    CONSTRAINT agent_versions_version_check CHECK ((version > 0))
);

-- Name: COLUMN agent_versions.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_versions.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN agent_versions.config; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_versions.config IS 'not personal: what the customer wrote for its agent';

-- Name: COLUMN agent_versions.created_by; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agent_versions.created_by IS 'personal: which operator applied it · as long as the account · the operator';

-- Name: agents; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.agents (
    id text NOT NULL,
    account_id integer NOT NULL,
    slug text NOT NULL,
    state text DEFAULT 'live'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    current_version integer,
    removed_at timestamp(3) with time zone,
    CONSTRAINT agents_id_check CHECK ((id ~ '^agent_[a-z0-9]{22}$'::text)),
    CONSTRAINT agents_state_check CHECK ((state = ANY (ARRAY['live'::text, 'paused'::text])))
);

-- Name: COLUMN agents.id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agents.id IS 'not personal: an agent''s identifier';

-- Name: COLUMN agents.slug; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agents.slug IS 'not personal: its short name';

-- Name: COLUMN agents.state; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.agents.state IS 'not personal: live or paused';

-- Name: audit; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.audit (
    id bigint NOT NULL,
    at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    account_id integer,
    subject text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
);

-- Name: COLUMN audit.actor; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.audit.actor IS 'personal: which operator changed something, or `person` · for good, because it is the record of who did what · the operator';

-- Name: COLUMN audit.action; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.audit.action IS 'not personal: what kind of change';

-- Name: COLUMN audit.subject; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.audit.subject IS 'not personal: what was changed, a session by its id; of an erasure its receipt';

-- Name: COLUMN audit.detail; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.audit.detail IS 'not personal: settings before and after, counts';

-- Name: audit_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: console_links; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.console_links (
    hash bytea NOT NULL,
    user_id integer NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

-- Name: COLUMN console_links.hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.console_links.hash IS 'not personal: hash of a sign-in link';

-- Name: console_sessions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.console_sessions (
    hash bytea NOT NULL,
    user_id integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    used_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL
);

-- Name: COLUMN console_sessions.hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.console_sessions.hash IS 'not personal: hash of a random session id';

-- Name: console_tokens; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.console_tokens (
    id integer NOT NULL,
    hash bytea NOT NULL,
    user_id integer NOT NULL,
    label text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    used_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL
);

-- Name: COLUMN console_tokens.hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.console_tokens.hash IS 'not personal: hash of a token';

-- Name: COLUMN console_tokens.label; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.console_tokens.label IS 'personal: where its owner uses the token, in their own words · until it is revoked, or 30 days · the operator';

-- Name: console_tokens_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.console_tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.console_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: console_user_accounts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.console_user_accounts (
    user_id integer NOT NULL,
    account_id integer NOT NULL
);

-- Name: console_users; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.console_users (
    id integer NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    all_accounts boolean NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    CONSTRAINT console_users_check CHECK ((all_accounts OR (role <> 'admin'::text))),
    CONSTRAINT console_users_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text])))
);

-- Name: COLUMN console_users.name; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.console_users.name IS 'personal: who may use the console, and whose name the audit records · until `svc console remove` · the operator';

-- Name: COLUMN console_users.role; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.console_users.role IS 'not personal: what a role may do is fixed';

-- Name: console_users_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.console_users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.console_users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: deliveries; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.deliveries (
    id bigint NOT NULL,
    endpoint_id text NOT NULL,
    event_id uuid NOT NULL,
    session_id uuid NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    orphans smallint DEFAULT 0 NOT NULL,
    replay_of bigint,
    followed boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    held_because text,
    CONSTRAINT deliveries_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text])))),
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'delivered'::text, 'exhausted'::text, 'orphaned'::text, 'cancelled'::text])))
);

-- Name: COLUMN deliveries.endpoint_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.deliveries.endpoint_id IS 'not personal: a receiver''s identifier';

-- Name: COLUMN deliveries.state; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.deliveries.state IS 'not personal: how far it is';

-- Name: COLUMN deliveries.held_because; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.deliveries.held_because IS 'not personal: what is missing here, such as a key';

-- Name: deliveries_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: delivery_attempts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.delivery_attempts (
    delivery_id bigint NOT NULL,
    attempt smallint NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    took_ms integer NOT NULL,
    outcome text NOT NULL,
    status smallint,
    detail text,
    answer bytea,
    CONSTRAINT delivery_attempts_attempt_check CHECK (((attempt >= 1) AND (attempt <= 3)))
);

-- Name: COLUMN delivery_attempts.outcome; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.delivery_attempts.outcome IS 'not personal: a class of outcome';

-- Name: COLUMN delivery_attempts.detail; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.delivery_attempts.detail IS 'not personal: what went wrong on the way';

-- Name: COLUMN delivery_attempts.answer; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.delivery_attempts.answer IS 'personal: what the receiver answered, which may repeat what it was sent · until erasure, at the latest 30 days after the delivery (SVC_DELIVERY_KEEP_DAYS) · the operator';

-- Name: erased_mails; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.erased_mails (
    account_id integer NOT NULL,
    address_mark bytea NOT NULL,
    visitor text,
    mailed_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT erased_mails_address_mark_check CHECK ((length(address_mark) = 32))
);

-- Name: COLUMN erased_mails.address_mark; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.erased_mails.address_mark IS 'personal: keyed hash of the mailbox, to count mails to one person · a day after the mail · nobody but the server';

-- Name: COLUMN erased_mails.visitor; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.erased_mails.visitor IS 'personal: network address of the conversation, to count mails of one visitor · a day after the mail · nobody but the server';

-- Name: erasures; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.erasures (
    id uuid NOT NULL,
    account_id integer,
    at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    scope text NOT NULL,
    asked_by text NOT NULL,
    sessions integer NOT NULL,
    deliveries_cancelled integer NOT NULL,
    CONSTRAINT erasures_scope_check CHECK ((scope = ANY (ARRAY['person'::text, 'session'::text, 'retention'::text])))
);

-- Name: COLUMN erasures.scope; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.erasures.scope IS 'not personal: what was asked for';

-- Name: COLUMN erasures.asked_by; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.erasures.asked_by IS 'personal: which operator erased, or `person` or `retention` · for good, because it is the record of who did what · the operator';

-- Name: evaluations; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.evaluations (
    session_id uuid NOT NULL,
    version integer NOT NULL,
    state text NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    model text,
    prompt_hash bytea,
    input_tokens integer,
    output_tokens integer,
    cost_micros bigint,
    evaluation json,
    failure text,
    times_away integer DEFAULT 0 NOT NULL,
    summary text,
    dropped json,
    CONSTRAINT evaluations_check CHECK (((state = 'pending'::text) = (finished_at IS NULL))),
    CONSTRAINT evaluations_check1 CHECK (((state = 'written'::text) = (evaluation IS NOT NULL))),
    CONSTRAINT evaluations_check2 CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
    CONSTRAINT evaluations_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'written'::text, 'failed'::text]))),
    CONSTRAINT evaluations_version_check CHECK ((version > 0))
);

-- Name: COLUMN evaluations.state; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.evaluations.state IS 'not personal: how far it is';

-- Name: COLUMN evaluations.model; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.evaluations.model IS 'not personal: which model was asked';

-- Name: COLUMN evaluations.prompt_hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.evaluations.prompt_hash IS 'not personal: hash of the instructions, without the conversation';

-- Name: COLUMN evaluations.evaluation; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.evaluations.evaluation IS 'personal: what was concluded of the visitor, each version · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN evaluations.failure; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.evaluations.failure IS 'not personal: a class of failure';

-- Name: COLUMN evaluations.summary; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.evaluations.summary IS 'personal: the conversation in a paragraph, each version · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN evaluations.dropped; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.evaluations.dropped IS 'personal: what the check of the evidence left out, for tuning · until erasure, at the latest the account''s retention · the operator';

-- Name: follow_ups; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.follow_ups (
    session_id uuid NOT NULL,
    account_id integer NOT NULL,
    address_mark bytea NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    reason text,
    attempts smallint DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    give_up_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    needs_confirmation boolean DEFAULT false NOT NULL,
    confirmed_at timestamp(3) with time zone,
    CONSTRAINT follow_ups_address_mark_check CHECK ((length(address_mark) = 32)),
    CONSTRAINT follow_ups_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'sending'::text])))),
    CONSTRAINT follow_ups_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'unknown'::text, 'skipped'::text])))
);

-- Name: COLUMN follow_ups.address_mark; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.follow_ups.address_mark IS 'personal: keyed hash of the mailbox, to count mails to one person · until erasure, at the latest the account''s retention · nobody but the server';

-- Name: COLUMN follow_ups.state; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.follow_ups.state IS 'not personal: how far it is';

-- Name: COLUMN follow_ups.reason; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.follow_ups.reason IS 'not personal: a class of reason, or what the mail server said without addresses';

-- Name: funnel_counts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.funnel_counts (
    agent_id text NOT NULL,
    day date NOT NULL,
    event text NOT NULL,
    origin text NOT NULL,
    count bigint NOT NULL
);

-- Name: COLUMN funnel_counts.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.funnel_counts.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN funnel_counts.event; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.funnel_counts.event IS 'not personal: what is counted';

-- Name: COLUMN funnel_counts.origin; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.funnel_counts.origin IS 'not personal: the page''s site, without its path';

-- Name: funnel_steps; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.funnel_steps (
    agent_id text NOT NULL,
    day date NOT NULL,
    event text NOT NULL,
    dimension text NOT NULL,
    value text NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT funnel_steps_dimension_check CHECK ((dimension = ANY (ARRAY['page'::text, 'language'::text, 'entry'::text, 'version'::text, 'device'::text])))
);

-- Name: COLUMN funnel_steps.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.funnel_steps.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN funnel_steps.event; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.funnel_steps.event IS 'not personal: what is counted';

-- Name: COLUMN funnel_steps.dimension; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.funnel_steps.dimension IS 'not personal: page, language, entry, version or device';

-- Name: COLUMN funnel_steps.value; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.funnel_steps.value IS 'not personal: the page''s site and path, without query and with every part that looks like an id, an address or a token replaced; or a language, a way in, a version';

-- Name: knowledge_sections; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.knowledge_sections (
    sha256 bytea NOT NULL,
    section integer NOT NULL,
    heading text NOT NULL,
    body text NOT NULL,
    words tsvector GENERATED ALWAYS AS (((((to_tsvector('simple'::regconfig, ((heading || ' '::text) || body)) || to_tsvector('english'::regconfig, ((heading || ' '::text) || body))) || to_tsvector('german'::regconfig, ((heading || ' '::text) || body))) || to_tsvector('french'::regconfig, ((heading || ' '::text) || body))) || to_tsvector('spanish'::regconfig, ((heading || ' '::text) || body)))) STORED NOT NULL
);

-- Name: COLUMN knowledge_sections.sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.knowledge_sections.sha256 IS 'not personal: hash of a file';

-- Name: COLUMN knowledge_sections.heading; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.knowledge_sections.heading IS 'not personal: what the customer wrote for its agent';

-- Name: COLUMN knowledge_sections.body; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.knowledge_sections.body IS 'not personal: what the customer wrote for its agent';

-- Name: COLUMN knowledge_sections.words; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.knowledge_sections.words IS 'not personal: the same, for searching';

-- Name: live_processes; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.live_processes (
    id uuid NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    renewed_at timestamp(3) with time zone NOT NULL,
    sessions integer NOT NULL,
    capacity integer NOT NULL,
    draining boolean DEFAULT false NOT NULL,
    model_answers boolean NOT NULL,
    speech_answers boolean DEFAULT false NOT NULL
);

-- Name: mail_suppressions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.mail_suppressions (
    account_id integer NOT NULL,
    address_mark bytea NOT NULL,
    at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    source text NOT NULL,
    CONSTRAINT mail_suppressions_address_mark_check CHECK ((length(address_mark) = 32)),
    CONSTRAINT mail_suppressions_source_check CHECK ((source = ANY (ARRAY['unsubscribed'::text, 'operator'::text])))
);

-- Name: COLUMN mail_suppressions.address_mark; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.mail_suppressions.address_mark IS 'personal: keyed hash of an address that wants no mail · until the operator allows it again; it outlives erasure, because the objection must be honoured · nobody but the server';

-- Name: COLUMN mail_suppressions.source; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.mail_suppressions.source IS 'not personal: who asked for it';

-- Name: preview_tokens; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.preview_tokens (
    id integer NOT NULL,
    agent_id text NOT NULL,
    hash bytea NOT NULL,
    label text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    created_by text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT preview_tokens_hash_check CHECK ((length(hash) = 32))
);

-- Name: COLUMN preview_tokens.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.preview_tokens.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN preview_tokens.hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.preview_tokens.hash IS 'not personal: hash of a token';

-- Name: COLUMN preview_tokens.label; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.preview_tokens.label IS 'not personal: what the operator called it';

-- Name: COLUMN preview_tokens.created_by; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.preview_tokens.created_by IS 'personal: which operator minted it · as long as the account · the operator';

-- Name: preview_tokens_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.preview_tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.preview_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: processes; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.processes (
    id uuid NOT NULL,
    role text NOT NULL,
    version text NOT NULL,
    instance text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    renewed_at timestamp(3) with time zone NOT NULL,
    draining boolean NOT NULL,
    sessions integer,
    capacity integer,
    jobs integer,
    job_slots integer,
    requests_per_sec real,
    loop_delay_ms real,
    memory_share real,
    busy text,
    CONSTRAINT processes_busy_check CHECK ((busy = ANY (ARRAY['event_loop'::text, 'memory'::text]))),
    CONSTRAINT processes_role_check CHECK ((role = ANY (ARRAY['api'::text, 'live'::text, 'pipeline'::text, 'all'::text])))
)
WITH (fillfactor='50');

-- Name: COLUMN processes.role; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.processes.role IS 'not personal: what the process runs';

-- Name: COLUMN processes.version; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.processes.version IS 'not personal: the release that it runs';

-- Name: COLUMN processes.instance; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.processes.instance IS 'not personal: the name of the process in logs and traces';

-- Name: COLUMN processes.busy; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.processes.busy IS 'not personal: what the process is short of';

-- Name: recipient_lists; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.recipient_lists (
    sha256 bytea NOT NULL,
    list json NOT NULL,
    first_used_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT recipient_lists_list_check CHECK ((json_typeof(list) = 'object'::text)),
    CONSTRAINT recipient_lists_sha256_check CHECK ((length(sha256) = 32))
);

-- Name: COLUMN recipient_lists.sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.recipient_lists.sha256 IS 'not personal: hash of the list';

-- Name: COLUMN recipient_lists.list; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.recipient_lists.list IS 'not personal: names and public hosts of companies, as shown to every visitor';

-- Name: restores; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.restores (
    at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL
);

-- Name: section_vectors; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.section_vectors (
    file_sha256 bytea NOT NULL,
    model text NOT NULL,
    text_sha256 bytea NOT NULL,
    vector bytea NOT NULL
);
ALTER TABLE ONLY public.section_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;

-- Name: COLUMN section_vectors.file_sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.section_vectors.file_sha256 IS 'not personal: hash of a file';

-- Name: COLUMN section_vectors.model; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.section_vectors.model IS 'not personal: the name of a model';

-- Name: COLUMN section_vectors.text_sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.section_vectors.text_sha256 IS 'not personal: hash of a section';

-- Name: COLUMN section_vectors.vector; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.section_vectors.vector IS 'not personal: what the customer wrote for its agent, as numbers';

-- Name: services_in_use; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.services_in_use (
    part text NOT NULL,
    sha256 bytea NOT NULL,
    services jsonb NOT NULL,
    used_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT services_in_use_part_check CHECK ((part = ANY (ARRAY['api'::text, 'live'::text, 'pipeline'::text]))),
    CONSTRAINT services_in_use_services_check CHECK ((jsonb_typeof(services) = 'array'::text)),
    CONSTRAINT services_in_use_sha256_check CHECK ((length(sha256) = 32))
)
WITH (fillfactor='50');

-- Name: COLUMN services_in_use.part; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.services_in_use.part IS 'not personal: a part of the server';

-- Name: COLUMN services_in_use.sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.services_in_use.sha256 IS 'not personal: hash of the services';

-- Name: COLUMN services_in_use.services; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.services_in_use.services IS 'not personal: names and public hosts of services';

-- Name: session_digests; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_digests (
    session_id uuid NOT NULL,
    account_id integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    agent_id text NOT NULL,
    terms tsvector NOT NULL,
    counts boolean NOT NULL,
    version text NOT NULL,
    page text,
    language text,
    entry text,
    device text,
    microphone boolean NOT NULL,
    talked boolean NOT NULL,
    email_given boolean NOT NULL,
    evaluated boolean NOT NULL,
    qualified boolean NOT NULL,
    delivered boolean NOT NULL,
    failed boolean NOT NULL,
    cost_micros bigint NOT NULL,
    unpriced boolean NOT NULL,
    answers_ms integer[] NOT NULL,
    cuts_ms integer[] NOT NULL,
    unanswered boolean DEFAULT false NOT NULL
);

-- Name: COLUMN session_digests.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_digests.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN session_digests.terms; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_digests.terms IS 'personal: the words that were heard, without their order, the visitor''s name and address · until erasure, at the latest the account''s retention · the operator';

-- Name: COLUMN session_digests.version; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_digests.version IS 'not personal: the agent''s version';

-- Name: COLUMN session_digests.page; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_digests.page IS 'not personal: the page''s site and path, without query and with every part that looks like an id, an address or a token replaced';

-- Name: COLUMN session_digests.language; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_digests.language IS 'personal: the visitor''s language · until erasure, at the latest the account''s retention · the operator';

-- Name: COLUMN session_digests.entry; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_digests.entry IS 'not personal: a button of the page, the widget or the hero';

-- Name: COLUMN session_digests.device; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_digests.device IS 'not personal: desktop, phone or tablet';

-- Name: session_digests_due; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_digests_due (
    id bigint NOT NULL,
    session_id uuid NOT NULL
);

-- Name: session_digests_due_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.session_digests_due ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.session_digests_due_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: session_events; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_events (
    session_at timestamp(3) with time zone NOT NULL,
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    kind text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
)
PARTITION BY RANGE (session_at);

-- Name: COLUMN session_events.kind; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_events.kind IS 'not personal: what kind of event';

-- Name: COLUMN session_events.detail; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_events.detail IS 'personal: tool calls, cards, addresses typed and ratings, to explain a conversation · until erasure, at the latest the account''s retention · the operator';

-- Name: session_events_seq; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.session_events_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- Name: session_events_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -

ALTER SEQUENCE public.session_events_seq OWNED BY public.session_events.seq;

-- Name: session_events_default; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_events_default (
    session_at timestamp(3) with time zone NOT NULL,
    session_id uuid NOT NULL,
    seq bigint DEFAULT nextval('public.session_events_seq'::regclass) NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    kind text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL
);

-- Name: session_exports; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_exports (
    account_id integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    id uuid NOT NULL,
    agent_id text NOT NULL,
    status text NOT NULL,
    metadata text,
    transcript text,
    summary text,
    evaluation text,
    email text,
    email_verified boolean,
    duration_secs integer,
    CONSTRAINT session_exports_status_check CHECK ((status = ANY (ARRAY['abandoned'::text, 'processed'::text, 'error'::text])))
);

-- Name: COLUMN session_exports.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_exports.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN session_exports.status; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_exports.status IS 'not personal: how it ended';

-- Name: COLUMN session_exports.metadata; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_exports.metadata IS 'personal: what the site passed along · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN session_exports.transcript; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_exports.transcript IS 'personal: what was said, as it was heard · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN session_exports.summary; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_exports.summary IS 'personal: the conversation in a paragraph · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN session_exports.evaluation; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_exports.evaluation IS 'personal: what was concluded of the visitor · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN session_exports.email; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_exports.email IS 'personal: the visitor''s address · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: session_tallies; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_tallies (
    dimension text NOT NULL,
    day date NOT NULL,
    agent_id text NOT NULL,
    value text NOT NULL,
    started bigint NOT NULL,
    microphone bigint NOT NULL,
    talked bigint NOT NULL,
    email_given bigint NOT NULL,
    evaluated bigint NOT NULL,
    qualified bigint NOT NULL,
    delivered bigint NOT NULL,
    failed bigint NOT NULL,
    cost_micros bigint NOT NULL,
    unpriced bigint NOT NULL,
    unanswered bigint DEFAULT 0 NOT NULL
);

-- Name: COLUMN session_tallies.dimension; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_tallies.dimension IS 'not personal: what is counted by';

-- Name: COLUMN session_tallies.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_tallies.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN session_tallies.value; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_tallies.value IS 'not personal: a page as in session_digests, a language, a way in, a device, a version';

-- Name: session_times; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_times (
    kind text NOT NULL,
    day date NOT NULL,
    agent_id text NOT NULL,
    ms integer NOT NULL,
    count bigint NOT NULL,
    CONSTRAINT session_times_kind_check CHECK ((kind = ANY (ARRAY['answer'::text, 'cut'::text])))
);

-- Name: COLUMN session_times.kind; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_times.kind IS 'not personal: what was timed';

-- Name: COLUMN session_times.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_times.agent_id IS 'not personal: an agent''s identifier';

-- Name: session_usage; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.session_usage (
    session_id uuid NOT NULL,
    model text NOT NULL,
    requests integer NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    seconds double precision DEFAULT 0 NOT NULL,
    cost_micros bigint NOT NULL
);

-- Name: COLUMN session_usage.model; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.session_usage.model IS 'not personal: which model or voice was used';

-- Name: sessions; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    account_id integer NOT NULL,
    agent_id text NOT NULL,
    agent_version integer NOT NULL,
    test boolean NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    connect_by timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    end_reason text,
    evaluate_by timestamp(3) with time zone,
    settled_at timestamp(3) with time zone,
    metadata json NOT NULL,
    email text,
    email_verified boolean,
    duration_secs integer,
    given_at timestamp(3) with time zone,
    connected_at timestamp(3) with time zone,
    converse_by timestamp(3) with time zone,
    return_by timestamp(3) with time zone,
    error_reason text,
    language text,
    mode text,
    page text,
    notice_sha256 bytea,
    notice_language text,
    notice_at timestamp(3) with time zone,
    cost_micros bigint DEFAULT 0 NOT NULL,
    traceparent text,
    reserved_micros bigint DEFAULT 0 NOT NULL,
    notice_served_sha256 bytea,
    notice_received_at timestamp(3) with time zone,
    entry text,
    device text,
    recipients_sha256 bytea,
    CONSTRAINT sessions_check CHECK (((status = 'active'::text) = (settled_at IS NULL))),
    CONSTRAINT sessions_check1 CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
    CONSTRAINT sessions_check2 CHECK (((settled_at IS NULL) OR (ended_at IS NOT NULL))),
    CONSTRAINT sessions_check3 CHECK ((given_at < created_at)),
    CONSTRAINT sessions_created_at_check CHECK ((created_at <> date_trunc('second'::text, created_at))),
    CONSTRAINT sessions_device_check CHECK ((device = ANY (ARRAY['desktop'::text, 'phone'::text, 'tablet'::text]))),
    CONSTRAINT sessions_duration_secs_check CHECK ((duration_secs >= 0)),
    CONSTRAINT sessions_entry_check CHECK ((entry = ANY (ARRAY['modal'::text, 'widget'::text, 'hero'::text]))),
    CONSTRAINT sessions_mode_check CHECK ((mode = ANY (ARRAY['voice'::text, 'text'::text]))),
    CONSTRAINT sessions_notice_served_sha256_check CHECK ((length(notice_served_sha256) = 32)),
    CONSTRAINT sessions_notice_sha256_check CHECK ((length(notice_sha256) = 32)),
    CONSTRAINT sessions_recipients_sha256_check CHECK ((length(recipients_sha256) = 32)),
    CONSTRAINT sessions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'abandoned'::text, 'processed'::text, 'error'::text])))
);

-- Name: COLUMN sessions.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN sessions.status; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.status IS 'not personal: how it ended';

-- Name: COLUMN sessions.end_reason; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.end_reason IS 'not personal: a class of ends';

-- Name: COLUMN sessions.metadata; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.metadata IS 'personal: what the site passed along · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN sessions.email; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.email IS 'personal: the visitor''s address, for the follow-up mail and to find them again · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator, and the mail server';

-- Name: COLUMN sessions.error_reason; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.error_reason IS 'not personal: a class of failure';

-- Name: COLUMN sessions.language; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.language IS 'personal: the visitor''s language · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator';

-- Name: COLUMN sessions.mode; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.mode IS 'not personal: voice or text';

-- Name: COLUMN sessions.page; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.page IS 'personal: where the visitor began, which may name them · until erasure, at the latest the account''s retention · the operator';

-- Name: COLUMN sessions.notice_sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.notice_sha256 IS 'not personal: hash of the notice''s text';

-- Name: COLUMN sessions.notice_language; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.notice_language IS 'not personal: the notice''s language';

-- Name: COLUMN sessions.traceparent; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.traceparent IS 'not personal: random ids of a trace';

-- Name: COLUMN sessions.notice_served_sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.notice_served_sha256 IS 'not personal: hash of the notice that the server had for the agent''s version and the visitor''s language';

-- Name: COLUMN sessions.entry; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.entry IS 'not personal: a button of the page, the widget or the hero';

-- Name: COLUMN sessions.device; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.device IS 'not personal: desktop, phone or tablet';

-- Name: COLUMN sessions.recipients_sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.sessions.recipients_sha256 IS 'not personal: hash of the list of recipients that visitors could read then';

-- Name: tokens; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.tokens (
    id integer NOT NULL,
    account_id integer NOT NULL,
    hash bytea NOT NULL,
    label text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT tokens_hash_check CHECK ((length(hash) = 32))
);

-- Name: COLUMN tokens.hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.tokens.hash IS 'not personal: hash of a token';

-- Name: COLUMN tokens.label; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.tokens.label IS 'not personal: what the operator called it';

-- Name: tokens_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: turns; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.turns (
    session_at timestamp(3) with time zone NOT NULL,
    session_id uuid NOT NULL,
    item_id text NOT NULL,
    seq bigint NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    interrupted boolean DEFAULT false NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT turns_content_check CHECK ((content <> ''::text)),
    CONSTRAINT turns_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
)
PARTITION BY RANGE (session_at);

-- Name: COLUMN turns.item_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.turns.item_id IS 'not personal: a number within the conversation';

-- Name: COLUMN turns.role; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.turns.role IS 'not personal: who spoke';

-- Name: COLUMN turns.content; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.turns.content IS 'personal: what was said, as it was heard · until erasure, at the latest the account''s retention · the customer by export and webhook, the operator, and the model that answers';

-- Name: turns_seq; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.turns_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- Name: turns_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -

ALTER SEQUENCE public.turns_seq OWNED BY public.turns.seq;

-- Name: turns_default; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.turns_default (
    session_at timestamp(3) with time zone NOT NULL,
    session_id uuid NOT NULL,
    item_id text NOT NULL,
    seq bigint DEFAULT nextval('public.turns_seq'::regclass) NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    interrupted boolean DEFAULT false NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    CONSTRAINT turns_content_check CHECK ((content <> ''::text)),
    CONSTRAINT turns_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text])))
);

-- Name: visits; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.visits (
    session_id uuid NOT NULL,
    account_id integer NOT NULL,
    agent_id text NOT NULL,
    start_key uuid NOT NULL,
    request_sha256 bytea NOT NULL,
    started_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    address text NOT NULL,
    test_reason text,
    ticket_hash bytea,
    ticket_until timestamp(3) with time zone,
    resume_hash bytea,
    epoch integer DEFAULT 0 NOT NULL,
    process_id uuid,
    previous_hash bytea,
    continue_hash bytea,
    continues uuid,
    scene jsonb,
    origin text,
    CONSTRAINT visits_test_reason_check CHECK ((test_reason = ANY (ARRAY['test_origin'::text, 'preview_token'::text])))
);

-- Name: COLUMN visits.agent_id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.agent_id IS 'not personal: an agent''s identifier';

-- Name: COLUMN visits.request_sha256; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.request_sha256 IS 'not personal: hash of a start, to know it again';

-- Name: COLUMN visits.address; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.address IS 'personal: the visitor''s network (/64 for IPv6), for limits · until erasure, at the latest a day · nobody but the server';

-- Name: COLUMN visits.test_reason; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.test_reason IS 'not personal: why it is a test';

-- Name: COLUMN visits.ticket_hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.ticket_hash IS 'not personal: hash of a ticket';

-- Name: COLUMN visits.resume_hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.resume_hash IS 'not personal: hash of a token';

-- Name: COLUMN visits.previous_hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.previous_hash IS 'not personal: hash of a token';

-- Name: COLUMN visits.continue_hash; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.continue_hash IS 'not personal: hash of a token';

-- Name: COLUMN visits.scene; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.scene IS 'personal: what is on the screen of a visitor who talks, and the agent''s unfinished turn · until the conversation ends · nobody but the server';

-- Name: COLUMN visits.origin; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.visits.origin IS 'not personal: the page''s site, without its path';

-- Name: webhook_endpoints; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhook_endpoints (
    id text NOT NULL,
    account_id integer NOT NULL,
    url text NOT NULL,
    agent_ids text[],
    state text DEFAULT 'live'::text NOT NULL,
    secret text NOT NULL,
    previous_secret text,
    previous_until timestamp(3) with time zone,
    replay_exhausted boolean DEFAULT false NOT NULL,
    noticed_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    staged_secret text,
    staged_at timestamp(3) with time zone,
    CONSTRAINT webhook_endpoints_agent_ids_check CHECK ((agent_ids <> '{}'::text[])),
    CONSTRAINT webhook_endpoints_check CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
    CONSTRAINT webhook_endpoints_check1 CHECK (((staged_secret IS NULL) = (staged_at IS NULL))),
    CONSTRAINT webhook_endpoints_id_check CHECK ((id ~ '^hook_[a-z0-9]{22}$'::text)),
    CONSTRAINT webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['live'::text, 'paused'::text, 'removed'::text])))
);

-- Name: COLUMN webhook_endpoints.id; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_endpoints.id IS 'not personal: a receiver''s identifier';

-- Name: COLUMN webhook_endpoints.url; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_endpoints.url IS 'not personal: the customer''s receiver';

-- Name: COLUMN webhook_endpoints.agent_ids; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_endpoints.agent_ids IS 'not personal: agents'' identifiers';

-- Name: COLUMN webhook_endpoints.state; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_endpoints.state IS 'not personal: live, paused or removed';

-- Name: COLUMN webhook_endpoints.secret; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_endpoints.secret IS 'not personal: the sealed secret';

-- Name: COLUMN webhook_endpoints.previous_secret; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_endpoints.previous_secret IS 'not personal: the sealed secret before';

-- Name: COLUMN webhook_endpoints.staged_secret; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_endpoints.staged_secret IS 'not personal: the sealed secret to come';

-- Name: webhook_events; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhook_events (
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    version integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    body bytea NOT NULL
);

-- Name: COLUMN webhook_events.body; Type: COMMENT; Schema: public; Owner: -

COMMENT ON COLUMN public.webhook_events.body IS 'personal: the session object as it is sent · until erasure, at the latest 30 days after its deliveries (SVC_DELIVERY_KEEP_DAYS) · the customer by export and webhook, the operator';

-- Name: session_events_default; Type: TABLE ATTACH; Schema: public; Owner: -

ALTER TABLE ONLY public.session_events ATTACH PARTITION public.session_events_default DEFAULT;

-- Name: turns_default; Type: TABLE ATTACH; Schema: public; Owner: -

ALTER TABLE ONLY public.turns ATTACH PARTITION public.turns_default DEFAULT;

-- Name: session_events seq; Type: DEFAULT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_events ALTER COLUMN seq SET DEFAULT nextval('public.session_events_seq'::regclass);

-- Name: turns seq; Type: DEFAULT; Schema: public; Owner: -

ALTER TABLE ONLY public.turns ALTER COLUMN seq SET DEFAULT nextval('public.turns_seq'::regclass);

-- Name: account_clocks account_clocks_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.account_clocks
    ADD CONSTRAINT account_clocks_pkey PRIMARY KEY (account_id);

-- Name: accounts accounts_client_id_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_client_id_key UNIQUE (client_id);

-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

-- Name: agent_days agent_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_days
    ADD CONSTRAINT agent_days_pkey PRIMARY KEY (agent_id, day);

-- Name: agent_files agent_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_files
    ADD CONSTRAINT agent_files_pkey PRIMARY KEY (sha256);

-- Name: agent_version_files agent_version_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_version_files
    ADD CONSTRAINT agent_version_files_pkey PRIMARY KEY (agent_id, version, path);

-- Name: agent_versions agent_versions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_versions
    ADD CONSTRAINT agent_versions_pkey PRIMARY KEY (agent_id, version);

-- Name: agents agents_account_id_slug_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_account_id_slug_key UNIQUE (account_id, slug);

-- Name: agents agents_owner; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_owner UNIQUE (account_id, id);

-- Name: agents agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (id);

-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

-- Name: console_links console_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_links
    ADD CONSTRAINT console_links_pkey PRIMARY KEY (hash);

-- Name: console_sessions console_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_pkey PRIMARY KEY (hash);

-- Name: console_tokens console_tokens_hash_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_tokens
    ADD CONSTRAINT console_tokens_hash_key UNIQUE (hash);

-- Name: console_tokens console_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_tokens
    ADD CONSTRAINT console_tokens_pkey PRIMARY KEY (id);

-- Name: console_user_accounts console_user_accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_user_accounts
    ADD CONSTRAINT console_user_accounts_pkey PRIMARY KEY (user_id, account_id);

-- Name: console_users console_users_name_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_users
    ADD CONSTRAINT console_users_name_key UNIQUE (name);

-- Name: console_users console_users_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_users
    ADD CONSTRAINT console_users_pkey PRIMARY KEY (id);

-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

-- Name: delivery_attempts delivery_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, attempt);

-- Name: erasures erasures_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (id);

-- Name: evaluations evaluations_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.evaluations
    ADD CONSTRAINT evaluations_pkey PRIMARY KEY (session_id, version);

-- Name: follow_ups follow_ups_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.follow_ups
    ADD CONSTRAINT follow_ups_pkey PRIMARY KEY (session_id);

-- Name: funnel_counts funnel_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.funnel_counts
    ADD CONSTRAINT funnel_counts_pkey PRIMARY KEY (agent_id, day, event, origin);

-- Name: funnel_steps funnel_steps_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.funnel_steps
    ADD CONSTRAINT funnel_steps_pkey PRIMARY KEY (agent_id, day, event, dimension, value);

-- Name: knowledge_sections knowledge_sections_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.knowledge_sections
    ADD CONSTRAINT knowledge_sections_pkey PRIMARY KEY (sha256, section);

-- Name: live_processes live_processes_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.live_processes
    ADD CONSTRAINT live_processes_pkey PRIMARY KEY (id);

-- Name: mail_suppressions mail_suppressions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.mail_suppressions
    ADD CONSTRAINT mail_suppressions_pkey PRIMARY KEY (account_id, address_mark);

-- Name: preview_tokens preview_tokens_hash_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.preview_tokens
    ADD CONSTRAINT preview_tokens_hash_key UNIQUE (hash);

-- Name: preview_tokens preview_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.preview_tokens
    ADD CONSTRAINT preview_tokens_pkey PRIMARY KEY (id);

-- Name: processes processes_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (id);

-- Name: recipient_lists recipient_lists_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.recipient_lists
    ADD CONSTRAINT recipient_lists_pkey PRIMARY KEY (sha256);

-- Name: restores restores_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.restores
    ADD CONSTRAINT restores_pkey PRIMARY KEY (at);

-- Name: section_vectors section_vectors_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.section_vectors
    ADD CONSTRAINT section_vectors_pkey PRIMARY KEY (file_sha256, model, text_sha256);

-- Name: services_in_use services_in_use_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.services_in_use
    ADD CONSTRAINT services_in_use_pkey PRIMARY KEY (part, sha256);

-- Name: session_digests_due session_digests_due_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_digests_due
    ADD CONSTRAINT session_digests_due_pkey PRIMARY KEY (id);

-- Name: session_digests session_digests_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_digests
    ADD CONSTRAINT session_digests_pkey PRIMARY KEY (session_id);

-- Name: session_events session_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_events
    ADD CONSTRAINT session_events_pkey PRIMARY KEY (session_at, session_id, seq);

-- Name: session_events_default session_events_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_events_default
    ADD CONSTRAINT session_events_default_pkey PRIMARY KEY (session_at, session_id, seq);

-- Name: session_exports session_exports_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_exports
    ADD CONSTRAINT session_exports_pkey PRIMARY KEY (account_id, created_at, id);

-- Name: session_tallies session_tallies_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_tallies
    ADD CONSTRAINT session_tallies_pkey PRIMARY KEY (dimension, day, agent_id, value);

-- Name: session_times session_times_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_times
    ADD CONSTRAINT session_times_pkey PRIMARY KEY (kind, day, agent_id, ms);

-- Name: session_usage session_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_usage
    ADD CONSTRAINT session_usage_pkey PRIMARY KEY (session_id, model);

-- Name: sessions sessions_account_id_created_at_id_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_id_created_at_id_key UNIQUE (account_id, created_at, id);

-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

-- Name: tokens tokens_hash_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_hash_key UNIQUE (hash);

-- Name: tokens tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);

-- Name: turns turns_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (session_at, session_id, item_id);

-- Name: turns_default turns_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.turns_default
    ADD CONSTRAINT turns_default_pkey PRIMARY KEY (session_at, session_id, item_id);

-- Name: visits visits_agent_id_start_key_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_agent_id_start_key_key UNIQUE (agent_id, start_key);

-- Name: visits visits_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (session_id);

-- Name: webhook_endpoints webhook_endpoints_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);

-- Name: webhook_events webhook_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_pkey PRIMARY KEY (id);

-- Name: webhook_events webhook_events_session_id_version_key; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_session_id_version_key UNIQUE (session_id, version);

-- Name: agent_version_files_sha256; Type: INDEX; Schema: public; Owner: -

CREATE INDEX agent_version_files_sha256 ON public.agent_version_files USING btree (sha256);

-- Name: audit_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX audit_account ON public.audit USING btree (account_id, id);

-- Name: console_links_of_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX console_links_of_user ON public.console_links USING btree (user_id);

-- Name: console_sessions_of_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX console_sessions_of_user ON public.console_sessions USING btree (user_id);

-- Name: console_tokens_of_user; Type: INDEX; Schema: public; Owner: -

CREATE INDEX console_tokens_of_user ON public.console_tokens USING btree (user_id);

-- Name: console_users_of_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX console_users_of_account ON public.console_user_accounts USING btree (account_id);

-- Name: deliveries_event; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_event ON public.deliveries USING btree (event_id);

-- Name: deliveries_failed; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_failed ON public.deliveries USING btree (endpoint_id, finished_at) WHERE ((state = ANY (ARRAY['exhausted'::text, 'orphaned'::text])) AND (NOT followed));

-- Name: deliveries_finished; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_finished ON public.deliveries USING btree (endpoint_id, id) WHERE (finished_at IS NOT NULL);

-- Name: deliveries_line; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_line ON public.deliveries USING btree (endpoint_id, session_id, id) WHERE (finished_at IS NULL);

-- Name: deliveries_retrying; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_retrying ON public.deliveries USING btree (endpoint_id, due_at) WHERE ((state = 'waiting'::text) AND (attempts > 0));

-- Name: deliveries_running; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_running ON public.deliveries USING btree (endpoint_id) WHERE (state = 'running'::text);

-- Name: deliveries_undelivered; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_undelivered ON public.deliveries USING btree (endpoint_id, state, id) WHERE (state = ANY (ARRAY['exhausted'::text, 'orphaned'::text, 'cancelled'::text]));

-- Name: deliveries_waiting; Type: INDEX; Schema: public; Owner: -

CREATE INDEX deliveries_waiting ON public.deliveries USING btree (endpoint_id, due_at) WHERE (state = 'waiting'::text);

-- Name: erased_mails_of_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX erased_mails_of_account ON public.erased_mails USING btree (account_id);

-- Name: erased_mails_of_mailbox; Type: INDEX; Schema: public; Owner: -

CREATE INDEX erased_mails_of_mailbox ON public.erased_mails USING btree (address_mark);

-- Name: erasures_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX erasures_account ON public.erasures USING btree (account_id, at);

-- Name: erasures_retention_day; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX erasures_retention_day ON public.erasures USING btree (account_id, (((at AT TIME ZONE 'UTC'::text))::date)) WHERE (scope = 'retention'::text);

-- Name: evaluations_model_away; Type: INDEX; Schema: public; Owner: -

CREATE INDEX evaluations_model_away ON public.evaluations USING btree (finished_at) WHERE (failure = 'model_away'::text);

-- Name: evaluations_one_pending; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX evaluations_one_pending ON public.evaluations USING btree (session_id) WHERE (state = 'pending'::text);

-- Name: follow_ups_of_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX follow_ups_of_account ON public.follow_ups USING btree (account_id, created_at);

-- Name: follow_ups_of_mailbox; Type: INDEX; Schema: public; Owner: -

CREATE INDEX follow_ups_of_mailbox ON public.follow_ups USING btree (address_mark, finished_at) WHERE (state = ANY (ARRAY['sending'::text, 'sent'::text, 'unknown'::text]));

-- Name: preview_tokens_agent; Type: INDEX; Schema: public; Owner: -

CREATE INDEX preview_tokens_agent ON public.preview_tokens USING btree (agent_id);

-- Name: session_digests_due_session; Type: INDEX; Schema: public; Owner: -

CREATE INDEX session_digests_due_session ON public.session_digests_due USING btree (session_id);

-- Name: session_digests_newest; Type: INDEX; Schema: public; Owner: -

CREATE INDEX session_digests_newest ON public.session_digests USING btree (created_at, session_id);

-- Name: session_digests_of_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX session_digests_of_account ON public.session_digests USING btree (account_id, created_at, session_id);

-- Name: session_digests_terms; Type: INDEX; Schema: public; Owner: -

CREATE INDEX session_digests_terms ON public.session_digests USING gin (terms);

-- Name: sessions_deadline; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_deadline ON public.sessions USING btree (public.session_deadline(ended_at, evaluate_by, connected_at, connect_by, converse_by, return_by)) WHERE (settled_at IS NULL);

-- Name: sessions_email; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_email ON public.sessions USING btree (email) WHERE (email IS NOT NULL);

-- Name: sessions_metadata_email; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_metadata_email ON public.sessions USING btree (public.metadata_email(metadata)) WHERE (public.metadata_email(metadata) IS DISTINCT FROM email);

-- Name: sessions_reserved; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_reserved ON public.sessions USING btree (agent_id) WHERE (reserved_micros > 0);

-- Name: sessions_set_apart; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_set_apart ON public.sessions USING btree (account_id, created_at) WHERE (test OR (status = 'error'::text));

-- Name: sessions_talking; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_talking ON public.sessions USING btree (agent_id) WHERE (ended_at IS NULL);

-- Name: sessions_unsettled; Type: INDEX; Schema: public; Owner: -

CREATE INDEX sessions_unsettled ON public.sessions USING btree (account_id, created_at, id) WHERE ((settled_at IS NULL) AND (NOT test));

-- Name: tokens_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tokens_account ON public.tokens USING btree (account_id);

-- Name: visits_address; Type: INDEX; Schema: public; Owner: -

CREATE INDEX visits_address ON public.visits USING btree (account_id, address, started_at);

-- Name: visits_continues; Type: INDEX; Schema: public; Owner: -

CREATE INDEX visits_continues ON public.visits USING btree (continues) WHERE (continues IS NOT NULL);

-- Name: visits_process; Type: INDEX; Schema: public; Owner: -

CREATE INDEX visits_process ON public.visits USING btree (process_id) WHERE (process_id IS NOT NULL);

-- Name: visits_started; Type: INDEX; Schema: public; Owner: -

CREATE INDEX visits_started ON public.visits USING btree (started_at);

-- Name: webhook_endpoints_account; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_endpoints_account ON public.webhook_endpoints USING btree (account_id) WHERE (state <> 'removed'::text);

-- Name: webhook_events_at; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_events_at ON public.webhook_events USING btree (at);

-- Name: session_events_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -

ALTER INDEX public.session_events_pkey ATTACH PARTITION public.session_events_default_pkey;

-- Name: turns_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -

ALTER INDEX public.turns_pkey ATTACH PARTITION public.turns_default_pkey;

-- Name: agent_files agent_files_are_immutable; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER agent_files_are_immutable BEFORE UPDATE ON public.agent_files FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

-- Name: agent_versions agent_versions_are_immutable; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER agent_versions_are_immutable BEFORE UPDATE ON public.agent_versions FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

-- Name: deliveries digest_is_due; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER digest_is_due AFTER UPDATE OF state, followed ON public.deliveries FOR EACH ROW WHEN ((new.finished_at IS NOT NULL)) EXECUTE FUNCTION public.digest_is_due();

-- Name: sessions digest_is_due; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER digest_is_due AFTER INSERT OR UPDATE OF status, email, cost_micros ON public.sessions FOR EACH ROW WHEN ((new.settled_at IS NOT NULL)) EXECUTE FUNCTION public.digest_is_due();

-- Name: session_digests tally_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER tally_deleted AFTER DELETE ON public.session_digests REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tally_digests('-1');

-- Name: session_digests tally_inserted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER tally_inserted AFTER INSERT ON public.session_digests REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tally_digests('1');

-- Name: session_digests tally_updated_from; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER tally_updated_from AFTER UPDATE ON public.session_digests REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tally_digests('-1');

-- Name: session_digests tally_updated_to; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER tally_updated_to AFTER UPDATE ON public.session_digests REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tally_digests('1');

-- Name: account_clocks account_clocks_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.account_clocks
    ADD CONSTRAINT account_clocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: accounts accounts_default_agent; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_default_agent FOREIGN KEY (id, default_agent_id) REFERENCES public.agents(account_id, id);

-- Name: agent_days agent_days_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_days
    ADD CONSTRAINT agent_days_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);

-- Name: agent_version_files agent_version_files_agent_id_version_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_version_files
    ADD CONSTRAINT agent_version_files_agent_id_version_fkey FOREIGN KEY (agent_id, version) REFERENCES public.agent_versions(agent_id, version);

-- Name: agent_version_files agent_version_files_sha256_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_version_files
    ADD CONSTRAINT agent_version_files_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.agent_files(sha256);

-- Name: agent_versions agent_versions_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agent_versions
    ADD CONSTRAINT agent_versions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);

-- Name: agents agents_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: agents agents_current_version; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_current_version FOREIGN KEY (id, current_version) REFERENCES public.agent_versions(agent_id, version);

-- Name: console_links console_links_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_links
    ADD CONSTRAINT console_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.console_users(id) ON DELETE CASCADE;

-- Name: console_sessions console_sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.console_users(id) ON DELETE CASCADE;

-- Name: console_tokens console_tokens_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_tokens
    ADD CONSTRAINT console_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.console_users(id) ON DELETE CASCADE;

-- Name: console_user_accounts console_user_accounts_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_user_accounts
    ADD CONSTRAINT console_user_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

-- Name: console_user_accounts console_user_accounts_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.console_user_accounts
    ADD CONSTRAINT console_user_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.console_users(id) ON DELETE CASCADE;

-- Name: deliveries deliveries_endpoint_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id);

-- Name: deliveries deliveries_event_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.webhook_events(id) ON DELETE CASCADE;

-- Name: delivery_attempts delivery_attempts_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.deliveries(id) ON DELETE CASCADE;

-- Name: erased_mails erased_mails_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.erased_mails
    ADD CONSTRAINT erased_mails_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;

-- Name: erasures erasures_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: evaluations evaluations_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.evaluations
    ADD CONSTRAINT evaluations_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

-- Name: follow_ups follow_ups_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.follow_ups
    ADD CONSTRAINT follow_ups_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: follow_ups follow_ups_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.follow_ups
    ADD CONSTRAINT follow_ups_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

-- Name: funnel_counts funnel_counts_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.funnel_counts
    ADD CONSTRAINT funnel_counts_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);

-- Name: funnel_steps funnel_steps_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.funnel_steps
    ADD CONSTRAINT funnel_steps_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);

-- Name: knowledge_sections knowledge_sections_sha256_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.knowledge_sections
    ADD CONSTRAINT knowledge_sections_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.agent_files(sha256) ON DELETE CASCADE;

-- Name: mail_suppressions mail_suppressions_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.mail_suppressions
    ADD CONSTRAINT mail_suppressions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: preview_tokens preview_tokens_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.preview_tokens
    ADD CONSTRAINT preview_tokens_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);

-- Name: section_vectors section_vectors_file_sha256_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.section_vectors
    ADD CONSTRAINT section_vectors_file_sha256_fkey FOREIGN KEY (file_sha256) REFERENCES public.agent_files(sha256) ON DELETE CASCADE;

-- Name: session_digests session_digests_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_digests
    ADD CONSTRAINT session_digests_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

-- Name: session_exports session_exports_account_id_created_at_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_exports
    ADD CONSTRAINT session_exports_account_id_created_at_id_fkey FOREIGN KEY (account_id, created_at, id) REFERENCES public.sessions(account_id, created_at, id) ON DELETE CASCADE;

-- Name: session_tallies session_tallies_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_tallies
    ADD CONSTRAINT session_tallies_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);

-- Name: session_times session_times_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_times
    ADD CONSTRAINT session_times_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);

-- Name: session_usage session_usage_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.session_usage
    ADD CONSTRAINT session_usage_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

-- Name: sessions sessions_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: sessions sessions_agent_id_agent_version_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_agent_id_agent_version_fkey FOREIGN KEY (agent_id, agent_version) REFERENCES public.agent_versions(agent_id, version);

-- Name: tokens tokens_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: visits visits_continues_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_continues_fkey FOREIGN KEY (continues) REFERENCES public.sessions(id) ON DELETE SET NULL;

-- Name: visits visits_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.visits
    ADD CONSTRAINT visits_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

-- Name: webhook_endpoints webhook_endpoints_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

-- Name: webhook_events webhook_events_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

-- Name: account_clocks; Type: ROW SECURITY; Schema: public; Owner: -

ALTER TABLE public.account_clocks ENABLE ROW LEVEL SECURITY;

-- Name: account_clocks one_account; Type: POLICY; Schema: public; Owner: -

CREATE POLICY one_account ON public.account_clocks FOR SELECT TO svc_export USING ((account_id = (NULLIF(current_setting('svc.account_id'::text, true), ''::text))::integer));

-- Name: session_exports one_account; Type: POLICY; Schema: public; Owner: -

CREATE POLICY one_account ON public.session_exports FOR SELECT TO svc_export USING ((account_id = (NULLIF(current_setting('svc.account_id'::text, true), ''::text))::integer));

-- Name: sessions one_account; Type: POLICY; Schema: public; Owner: -

CREATE POLICY one_account ON public.sessions FOR SELECT TO svc_export USING ((account_id = (NULLIF(current_setting('svc.account_id'::text, true), ''::text))::integer));

-- Name: session_exports; Type: ROW SECURITY; Schema: public; Owner: -

ALTER TABLE public.session_exports ENABLE ROW LEVEL SECURITY;

-- Name: sessions; Type: ROW SECURITY; Schema: public; Owner: -

ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;

-- Name: TABLE account_clocks; Type: ACL; Schema: public; Owner: -

GRANT SELECT ON TABLE public.account_clocks TO svc_export;

-- Name: TABLE audit; Type: ACL; Schema: public; Owner: -

GRANT SELECT ON TABLE public.audit TO postgres;

-- Name: COLUMN audit.actor; Type: ACL; Schema: public; Owner: -

GRANT INSERT(actor) ON TABLE public.audit TO postgres;

-- Name: COLUMN audit.action; Type: ACL; Schema: public; Owner: -

GRANT INSERT(action) ON TABLE public.audit TO postgres;

-- Name: COLUMN audit.account_id; Type: ACL; Schema: public; Owner: -

GRANT INSERT(account_id) ON TABLE public.audit TO postgres;

-- Name: COLUMN audit.subject; Type: ACL; Schema: public; Owner: -

GRANT INSERT(subject) ON TABLE public.audit TO postgres;

-- Name: COLUMN audit.detail; Type: ACL; Schema: public; Owner: -

GRANT INSERT(detail) ON TABLE public.audit TO postgres;

-- Name: SEQUENCE audit_id_seq; Type: ACL; Schema: public; Owner: -

GRANT SELECT ON SEQUENCE public.audit_id_seq TO postgres;

-- Name: TABLE session_exports; Type: ACL; Schema: public; Owner: -

GRANT SELECT ON TABLE public.session_exports TO svc_export;

-- Name: COLUMN sessions.id; Type: ACL; Schema: public; Owner: -

GRANT SELECT(id) ON TABLE public.sessions TO svc_export;

-- Name: COLUMN sessions.account_id; Type: ACL; Schema: public; Owner: -

GRANT SELECT(account_id) ON TABLE public.sessions TO svc_export;

-- Name: COLUMN sessions.test; Type: ACL; Schema: public; Owner: -

GRANT SELECT(test) ON TABLE public.sessions TO svc_export;

-- Name: COLUMN sessions.created_at; Type: ACL; Schema: public; Owner: -

GRANT SELECT(created_at) ON TABLE public.sessions TO svc_export;

-- Name: COLUMN sessions.settled_at; Type: ACL; Schema: public; Owner: -

GRANT SELECT(settled_at) ON TABLE public.sessions TO svc_export;

-- PostgreSQL database dump complete

\unrestrict schema
