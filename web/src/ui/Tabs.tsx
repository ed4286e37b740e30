/** Navigation between parts of a page; the open part is marked. */
export function Tabs({ label, parts, open }: { label: string; parts: [href: string, name: string][]; open: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {parts.map(([href, name]) => (
        <a key={href} href={href} aria-current={href === open ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
