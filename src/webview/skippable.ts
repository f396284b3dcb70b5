const laidOut = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    laidOut.unobserve(target);
    target.classList.add('skippable');
  }
});

/**
 * Lets the browser skip an element while it is out of sight, once it is laid out. Before that, the browser doesn't know its
 * height, and the text would move when the reader jumps there.
 */
export function skipOnceLaidOut(element: Element): void {
  if (!element.classList.contains('skippable')) laidOut.observe(element);
}

export function stopSkipping(element: Element): void {
  laidOut.unobserve(element);
  element.classList.remove('skippable');
}
