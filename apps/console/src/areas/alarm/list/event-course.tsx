import type { EventRecord, EventStep } from '@linewarden/contract'
import { listEventSteps } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keyOf } from '../../../app/net/keys.ts'
import { refreshSoon } from '../../../app/net/refresh-soon.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { clockTime } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { valueText } from '../event-parts.tsx'
import { onEvent } from '../notified-events.ts'
import { CommentForm } from './comment-form.tsx'
import { EventPhotoDialog } from './event-photo-dialog.tsx'

const firstSteps = 20
const maxSteps = 200
const refreshAfterMs = 300

/** What happened to the alarm, the newest first, with what people wrote about it; and where something more is written. */
export function EventCourse({ event }: { event: EventRecord }) {
  const { t } = useTranslation('alarmList')
  const mayEdit = useMayEdit()
  const [size, setSize] = useState(firstSteps)
  const { EventID } = event
  const steps = useCall(listEventSteps, { params: { EventID }, query: { Size: size } }, { placeholderData: (former) => former })
  useEffect(
    () =>
      onEvent((changed) => {
        if (changed.EventID === EventID) refreshSoon(keyOf(listEventSteps, { params: { EventID } }), refreshAfterMs)
      }),
    [EventID],
  )
  const items = steps.data?.items ?? []
  const earlier = (steps.data?.total ?? 0) - items.length
  return (
    <section className="part" aria-label={t('course')}>
      <h3>{t('course')}</h3>
      {mayEdit && event.State !== null && <CommentForm eventId={EventID} />}
      <Unloaded query={steps} />
      <ol className="event-course">
        {items.map((step) => (
          <Step key={step.StepID} step={step} event={event} />
        ))}
      </ol>
      {earlier > 0 && (
        <button
          type="button"
          className="btn small quiet"
          disabled={size >= maxSteps}
          aria-busy={steps.isFetching}
          onClick={() => setSize(maxSteps)}
        >
          {t('courseMore', { count: earlier })}
        </button>
      )}
    </section>
  )
}

function Step({ step, event }: { step: EventStep; event: EventRecord }) {
  const { t } = useTranslation('alarmList')
  const [isShown, setShown] = useState(false)
  const { CommentID } = step
  return (
    <li className={step.Act === 'comment' ? 'comment' : undefined}>
      <time dateTime={new Date(step.At).toISOString()}>{clockTime(step.At)}</time>
      <span>
        {step.Act !== 'comment' && (
          <b>
            {t(`acts.${step.Act}`)}
            {step.Value !== null && (
              <span className="unit">
                {valueText({ ...event, Value: step.Value })} {event.Unit}
              </span>
            )}
          </b>
        )}
        {step.Text !== null && <span className="text">{step.Text}</span>}
        {step.Photo && (
          <button type="button" className="btn small quiet" onClick={() => setShown(true)}>
            <Icon name="page" />
            {t('showPhoto')}
          </button>
        )}
        {isShown && CommentID !== null && (
          <EventPhotoDialog eventId={event.EventID} step={step} commentId={CommentID} onClose={() => setShown(false)} />
        )}
      </span>
      <span className="mute">{step.Actor ?? t('system')}</span>
    </li>
  )
}
