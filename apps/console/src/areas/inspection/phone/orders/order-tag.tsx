import { taggedLines } from '@linewarden/contract'
import { useCall } from '../../../../app/net/use-call.ts'
import { LineTag, TagMark } from '../../../../plant/tag-mark.tsx'
import { useAway } from '../phone-screen.tsx'

const everyMs = 30_000

/** Whether a lock-out tag hangs on the line of an order. Nothing is published to the phone: it asks. Without the server nobody knows. */
export const OrderTag = ({ lineId }: { lineId: number | null }) => (lineId === null ? null : <OfLine lineId={lineId} />)

function OfLine({ lineId }: { lineId: number }) {
  const isAway = useAway()
  const { isSuccess } = useCall(taggedLines, {}, { refetchInterval: everyMs, enabled: !isAway })
  return isAway || !isSuccess ? <TagMark count={null} /> : <LineTag lineId={lineId} />
}
