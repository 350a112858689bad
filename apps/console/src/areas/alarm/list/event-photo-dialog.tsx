import type { EventStep } from '@linewarden/contract'
import { eventPhoto } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { CloseFoot, Dialog } from '../../../ui/dialog.tsx'
import { dayTime } from '../../../ui/format.ts'

/** The photo of a comment. */
export function EventPhotoDialog({
  eventId,
  step,
  commentId,
  onClose,
}: {
  eventId: string
  step: EventStep
  commentId: string
  onClose: () => void
}) {
  const { t } = useTranslation('alarmList')
  const query = useCall(eventPhoto, { params: { EventID: eventId, CommentID: commentId } })
  const { data } = query
  const name = t('photoOf', { name: step.Actor ?? '', time: dayTime(step.At) })
  return (
    <Dialog label={name} wide onClose={onClose}>
      <h2>{name}</h2>
      <div className="content">
        {data ? (
          <img className="event-photo" src={`data:${data.Type};base64,${data.Data}`} alt={name} />
        ) : (
          <Unloaded query={query} />
        )}
        {step.Text !== null && <p>{step.Text}</p>}
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}
