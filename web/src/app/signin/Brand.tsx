import "./signin.css";

/** Whose page this is, above what is asked. */
export function Brand() {
  return (
    <p class="brand above">
      <img src="/icon.svg" alt="" width="28" height="28" />
      Quorate
    </p>
  );
}
