/** Which rows of a long list stand in the window, with some above and below. */
export function visible(
  total: number,
  rowHeight: number,
  scrollTop: number,
  height: number,
  spare = 8,
): { first: number; last: number } {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
  const last = Math.min(total, Math.ceil((scrollTop + height) / rowHeight) + spare);
  return { first: Math.min(first, Math.max(0, total)), last };
}
