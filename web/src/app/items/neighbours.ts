export interface Beside {
  id: number;
  at: number;
}

export interface Neighbours {
  before: Beside | null;
  after: Beside | null;
}

/** The items before and after one that stood at row `at` of its list. rows: of the list as it is now, from `from` on.
 *
 * An item may have left the list since, such as one that is open no more: then the next one has taken its row.
 */
export function neighbours(rows: { id: number }[], from: number, item: number, at: number): Neighbours {
  const beside = (row: number): Beside | null => {
    const found = rows[row - from];
    return found ? { id: found.id, at: row } : null;
  };
  const place = rows.findIndex((row) => row.id === item);
  if (place < 0) return { before: beside(at - 1), after: beside(at) };
  return { before: beside(from + place - 1), after: beside(from + place + 1) };
}
