interface Part {
  name: string;
  n: number;
  tone: string;
}

/** A stacked bar of shares with a text alternative. */
export function Bar({ parts, label }: { parts: Part[]; label: string }) {
  const whole = parts.reduce((sum, part) => sum + part.n, 0) || 1;
  const shares = parts.map((part) => `${part.name} ${Math.round((100 * part.n) / whole)}%`).join(", ");
  return (
    <div class="bar" role="img" aria-label={`${label}: ${shares}`}>
      {parts.map((part) => (
        <span key={part.name} style={{ width: `${(100 * part.n) / whole}%`, "--tone": part.tone }} title={part.name} />
      ))}
    </div>
  );
}
