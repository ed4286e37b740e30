import { Button } from "../../ui/Button";
import type { Arrival } from "../session/arrival";

/** The end of a visit in a frame of MTurk, which expects a form posted from that frame. */
export function Submit({ arrival, code }: { arrival: Arrival; code: string }) {
  return (
    <form class="card" method="post" action={`${arrival.submit}/mturk/externalSubmit`}>
      <p>Submit your work to let the panel know that you have finished.</p>
      <input type="hidden" name="assignmentId" value={arrival.visit} />
      <input type="hidden" name="code" value={code} />
      <div class="row big">
        <Button look="main" type="submit">
          Submit
        </Button>
      </div>
    </form>
  );
}
