import type { Progress } from "../../api";
import { ButtonLink, Card } from "../../ui";
import { certificateSentence, expectedErrorSentence } from "./sentences";

interface Props {
  progress: Progress | null;
  /** Number of labels by crowd and classifier. */
  labels: number;
  auditShare: number;
  over: boolean;
  settings: string;
}

/** The error rate of the accepted labels, as certified by an audit and as estimated by the model. */
export function Quality({ progress, labels, auditShare, over, settings }: Props) {
  const { sure, text } = certificateSentence(progress?.certificate ?? null, auditShare, over);
  const believed = expectedErrorSentence(progress?.estimated_error_band ?? null, labels);
  const audited = Boolean(progress?.certificate?.audited);
  return (
    <Card title="Quality">
      {sure ? (
        <p class="headline">
          <b>{sure}</b>
        </p>
      ) : (
        !audited && believed && <p class="headline">{believed}</p>
      )}
      {!audited && believed && <p class="small soft">Not audited yet.</p>}
      <p>{text}</p>
      {audited && believed && <p class="small soft">{believed} Where they differ, rely on the audit.</p>}
      {auditShare === 0 && !sure && (
        <div class="row">
          <ButtonLink small href={settings}>
            Change settings
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
