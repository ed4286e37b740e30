import "./signin.css";

/** The logo above the forms to sign in and join. */
export function Brand() {
  return (
    <p class="brand above">
      <img src="/icon.svg" alt="" width="28" height="28" />
      Quorate
    </p>
  );
}
