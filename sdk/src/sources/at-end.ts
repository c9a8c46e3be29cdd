/**
 * Whether the newest turn is in view, wherever turns that still glide are drawn: these make the height that can be scrolled larger,
 * as if the visitor had scrolled back.
 */
export function isAtEnd(list: Element): boolean {
  const { offsetTop, scrollTop, clientHeight } = list as HTMLElement;
  const last = list.lastElementChild as HTMLElement | null;
  return !last || last.offsetTop + last.offsetHeight - offsetTop - scrollTop - clientHeight < 80;
}
