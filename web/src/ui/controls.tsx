// Buttons, empty states and other small parts of all screens.
import type { ReactNode } from "react";
import { Icon } from "./icon";
import type { IconName } from "./icon";

interface IconButtonProps {
  icon: IconName;
  label: string;
  keys?: string;
  onClick: () => void;
  pressed?: boolean;
  disabled?: boolean;
}

/** A button that is an icon; its label is read out and shown on hover. */
export function IconButton(props: IconButtonProps) {
  const title = props.keys ? `${props.label} (${props.keys})` : props.label;
  return (
    <button type="button" className="icon-button" title={title}
      aria-label={props.label} aria-pressed={props.pressed}
      disabled={props.disabled} onClick={props.onClick}>
      <Icon name={props.icon} />
    </button>
  );
}

interface ButtonProps {
  children: ReactNode;
  onClick?: () => void;
  icon?: IconName;
  kind?: "plain" | "primary" | "danger";
  disabled?: boolean;
  title?: string;
  submit?: boolean;
}

export function Button(props: ButtonProps) {
  return (
    <button type={props.submit ? "submit" : "button"}
      className={`button ${props.kind ?? "plain"}`} disabled={props.disabled}
      title={props.title} onClick={props.onClick}>
      {props.icon && <Icon name={props.icon} size={14} />}
      {props.children}
    </button>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
}

/** What a pane shows when it has nothing yet: what it is for, what to do. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p className="empty-title">{title}</p>
      {children && <div className="empty-text">{children}</div>}
    </div>
  );
}

export function Keys({ children }: { children: string }) {
  return <kbd>{children}</kbd>;
}
