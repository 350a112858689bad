import type { EventRecord, EventStep } from '@linewarden/contract'
import { commentEvent, listEventSteps } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { change } from '../../../app/net/change.ts'
import { keyOf } from '../../../app/net/keys.ts'
import { newId } from '../../../app/net/new-id.ts'
import { refreshSoon } from '../../../app/net/refresh-soon.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { TextArea } from '../../../ui/fields.tsx'
import { clockTime } from '../../../ui/format.ts'
import { valueText } from '../event-parts.tsx'
import { onEvent } from '../notified-events.ts'

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
      </span>
      <span className="mute">{step.Actor ?? t('system')}</span>
    </li>
  )
}

/** One comment has one id, however often it is sent: an answer that is lost makes no second one. */
function CommentForm({ eventId }: { eventId: string }) {
  const { t } = useTranslation('alarmList')
  const [draft, setDraft] = useState({ id: newId(), text: '' })
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const Text = draft.text.trim()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (Text === '' || busy) return
    setBusy(true)
    const sent = await callWithToast(change(commentEvent, { params: { EventID: eventId }, body: { CommentID: draft.id, Text } }))
    setBusy(false)
    if (!sent) return
    setDraft({ id: newId(), text: '' })
    setAsked(false)
  }
  return (
    <form className="comment-form" onSubmit={send} noValidate>
      <TextArea
        label={t('comment')}
        rows={2}
        maxLength={1_000}
        value={draft.text}
        onChange={(text) => setDraft((before) => ({ ...before, text }))}
        error={asked && Text === '' ? t('commentMissing') : null}
      />
      <button type="submit" className="btn small" aria-busy={busy}>
        {t('send')}
      </button>
    </form>
  )
}
