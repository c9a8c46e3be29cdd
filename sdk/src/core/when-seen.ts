/** Calls back once, when half of the element is in the viewport. */
export function whenSeen(element: Element, onView: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onView();
    },
    { threshold: 0.5 },
  );
  observer.observe(element);
}
