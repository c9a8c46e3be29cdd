import { useEffect, useId, useRef, useState } from "react";
import type { ReactNode } from "react";

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
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
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
        {props.error && (
          <p className="bad" role="alert">
            {props.error.message}
          </p>
        )}
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
export function Field(props: {
  name: string;
  title: string;
  hint: string;
  children: ReactNode;
}): ReactNode {
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
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(props.secret);
    setCopied(true);
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
            {isCopied ? "Copied" : "Copy"}
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
