import { element } from "../element.ts";

/** Something to look at in a tab. */
export interface Panel {
  /** Part of its element's id. */
  readonly id: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Called when it comes into sight, and while it is there whenever something has changed. */
  show(): void;
}

/** A panel whose code is loaded when it comes into sight for the first time. */
export function latePanel<P extends Panel>(
  id: string,
  title: string,
  load: () => Promise<P>,
): Panel & { loaded(): Promise<P> } {
  const place = element("div");
  let coming: Promise<P> | undefined;
  let made: P | undefined;
  const loaded = (): Promise<P> => {
    coming ??= load().then((panel) => {
      made = panel;
      place.append(...panel.element.childNodes);
      return panel;
    });
    return coming;
  };
  const show = (): void => {
    if (made !== undefined) made.show();
    else void loaded().then((panel) => panel.show());
  };
  return { id, title, element: place, show, loaded };
}
