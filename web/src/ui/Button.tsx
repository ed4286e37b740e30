import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from "preact";

type Look = "main" | "plain" | "danger";

interface Props {
  children: ComponentChildren;
  look?: Look | undefined;
  small?: boolean | undefined;
  busy?: boolean | undefined;
}

function looks(look: Look | undefined, small: boolean | undefined): string {
  return ["button", look, small ? "small" : ""].filter(Boolean).join(" ");
}

/** A button; `busy` disables it while its action is running. */
export function Button({ children, look, small, busy, ...rest }: Props & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" {...rest} class={looks(look, small)} disabled={busy || rest.disabled} aria-busy={busy}>
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ children, look, small, ...rest }: Props & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} class={looks(look, small)}>
      {children}
    </a>
  );
}
