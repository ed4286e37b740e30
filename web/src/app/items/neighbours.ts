export interface Neighbour {
  id: number;
  at: number;
}

export interface Neighbours {
  before: Neighbour | null;
  after: Neighbour | null;
}

/** Returns the neighbours of an item that was at row `at` of its list. rows: the current list, starting at `from`.
 *
 * If the item has left the list since, for example because it was decided, the next item has taken its row.
 */
export function neighbours(rows: { id: number }[], from: number, item: number, at: number): Neighbours {
  const beside = (row: number): Neighbour | null => {
    const neighbour = rows[row - from];
    return neighbour ? { id: neighbour.id, at: row } : null;
  };
  const index = rows.findIndex((row) => row.id === item);
  if (index < 0) return { before: beside(at - 1), after: beside(at) };
  return { before: beside(from + index - 1), after: beside(from + index + 1) };
}
