export interface Neighbour {
  id: number;
  at: number;
}

export interface Neighbours {
  before: Neighbour | null;
  after: Neighbour | null;
}

/** The items before and after one that stood at row `at` of its list. rows: of the list as it is now, from `from` on.
 *
 * An item may have left the list since, such as one that is open no more: then the next one has taken its row.
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
