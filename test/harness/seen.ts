import type { ElementHandle, Locator } from 'playwright-core';
import { until } from './until.ts';

/** In CSS pixels of the viewport of its frame. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** See pageElement.ts. */
interface SeenElement {
  readonly clientLeft: number;
  readonly clientTop: number;
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: SeenElement): Record<string, string> };
  };
  checkVisibility(options: Record<string, boolean>): boolean;
  contains(other: unknown): boolean;
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
  getRootNode(): { elementsFromPoint(x: number, y: number): SeenElement[] };
}

/**
 * Returns whether a user sees all of an element: it is in the viewport, and nothing clips or covers its corners or its
 * center, in its own frame and those around it. False if there is no such element; of several, all must be seen.
 */
export async function isSeen(locator: Locator): Promise<boolean> {
  const elements = await locator.elementHandles();
  const seen = await Promise.all(elements.map(isElementSeen));
  return seen.length > 0 && seen.every(Boolean);
}

/** Waits until a user sees all of an element, and returns it. */
export async function seen(locator: Locator): Promise<Locator> {
  await until(`${String(locator)} to be seen`, () => isSeen(locator));
  return locator;
}

async function isElementSeen(element: ElementHandle): Promise<boolean> {
  let points = await element.evaluate(pointsInSight);
  let frame = await element.ownerFrame();
  while (points !== undefined && frame?.parentFrame()) {
    const holder = await frame.frameElement();
    points = await holder.evaluate(pointsThrough, points);
    frame = frame.parentFrame();
  }
  return points !== undefined;
}

/** Returns the corners and the center of an element, or undefined if one is clipped or covered. Runs in the page. */
export function pointsInSight(node: unknown): Point[] | undefined {
  const element = node as SeenElement;
  const { x, y, width, height } = element.getBoundingClientRect();
  const isDrawn = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (!isDrawn || width === 0 || height === 0) return undefined;
  const style = element.ownerDocument.defaultView.getComputedStyle(element);
  // The point on a rounded corner is further inside. Edges may lie between two pixels.
  const radius = Math.min(parseFloat(style['borderTopLeftRadius'] ?? '') || 0, height / 2);
  const inset = Math.min(1 + radius * 0.3, width / 2, height / 2);
  const points = [x + inset, x + width - inset].flatMap((left) =>
    [y + inset, y + height - inset].map((top) => ({ x: left, y: top })),
  );
  points.push({ x: x + width / 2, y: y + height / 2 });
  // Transparent elements cover nothing.
  const isHit = (point: Point): boolean =>
    element.contains(
      element
        .getRootNode()
        .elementsFromPoint(point.x, point.y)
        .find((each) => each.checkVisibility({ opacityProperty: true })),
    );
  return points.every(isHit) ? points : undefined;
}

/** Converts points inside a frame to points around it; undefined if one is clipped or covered there. */
function pointsThrough(node: unknown, inside: readonly Point[]): Point[] | undefined {
  const frame = node as SeenElement;
  const { x, y } = frame.getBoundingClientRect();
  const points = inside.map((point) => ({
    x: point.x + x + frame.clientLeft,
    y: point.y + y + frame.clientTop,
  }));
  const isHit = ({ x, y }: Point): boolean =>
    frame.getRootNode().elementsFromPoint(x, y)[0] === frame;
  return points.every(isHit) ? points : undefined;
}
