import type { UseMutationResult } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { Failure, useModal } from "./ui.tsx";

/** Asks for what a change needs. It stays open until the change is made, and says why it was not. */
export function FormDialog(props: {
  title: string;
  children: ReactNode;
  action: string;
  danger?: boolean;
  isBusy: boolean;
  error: Error | null;
  onSubmit: (given: URLSearchParams) => void;
  onClose: () => void;
}): ReactNode {
  const dialog = useModal();
  const id = useId();
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = new URLSearchParams();
          for (const [name, value] of new FormData(event.currentTarget)) {
            if (typeof value === "string") given.append(name, value);
          }
          props.onSubmit(given);
        }}
      >
        <h2 id={id}>{props.title}</h2>
        {props.children}
        <Failure error={props.error} />
        <div className="end">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            className={props.danger ? "button danger" : "button strong"}
            disabled={props.isBusy}
          >
            {props.action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** A field of a form, its name above it and what it is for below. */
export function Field(props: { title: string; hint: string; children: ReactNode }): ReactNode {
  return (
    <label className="field">
      <b>{props.title}</b>
      {props.children}
      <span className="quiet">{props.hint}</span>
    </label>
  );
}

/** A secret that the server shows this once. Escape does not close it: what is closed is gone. */
export function SecretDialog(props: {
  title: string;
  secret: string;
  children: ReactNode;
  onClose: () => void;
}): ReactNode {
  const dialog = useModal();
  const id = useId();
  const [copied, setCopied] = useState("Copy");
  // Browsers lend the clipboard to https pages only, and some people refuse it.
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.secret);
      setCopied("Copied");
    } catch {
      setCopied("Select it and copy it");
    }
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => event.preventDefault()}
      onClose={props.onClose}
    >
      <div>
        <h2 id={id}>{props.title}</h2>
        <p className="quiet">
          It is shown this once: only what proves it is stored. Give it to its user by a way that
          others do not read.
        </p>
        <div className="secret">
          <code tabIndex={0} aria-label="Secret">
            {props.secret}
          </code>
          <button className="button" onClick={() => void copy()}>
            {copied}
          </button>
        </div>
        {props.children}
        <div className="end">
          <button className="button strong" onClick={() => dialog.current?.close()}>
            I have kept it
          </button>
        </div>
      </div>
    </dialog>
  );
}

/** A button, the form behind it, and the secret that the change answers with. */
export function IssueSecret<Answer, Order>(props: {
  button: string;
  title: string;
  action: string;
  change: UseMutationResult<Answer, Error, Order>;
  order: (given: URLSearchParams) => Order;
  /** How the answer is shown. */
  shown: (answer: Answer) => { title: string; secret: string; about: ReactNode };
  /** The fields of the form. */
  children: ReactNode;
}): ReactNode {
  const { change } = props;
  const [isAsking, setAsking] = useState(false);
  const close = (): void => {
    setAsking(false);
    change.reset();
  };
  const shown = change.data && props.shown(change.data);
  return (
    <span className="end">
      <button className="button" onClick={() => setAsking(true)}>
        {props.button}
      </button>
      {isAsking && shown === undefined && (
        <FormDialog
          title={props.title}
          action={props.action}
          isBusy={change.isPending}
          error={change.error}
          onSubmit={(given) => change.mutate(props.order(given))}
          onClose={close}
        >
          {props.children}
        </FormDialog>
      )}
      {shown && (
        <SecretDialog title={shown.title} secret={shown.secret} onClose={close}>
          {shown.about}
        </SecretDialog>
      )}
    </span>
  );
}
