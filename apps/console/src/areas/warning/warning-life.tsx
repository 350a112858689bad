import type { EventStep, Warning } from '@linewarden/contract'
import { commentEvent, listEventSteps } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useMayEdit } from '../../app/session/use-may.ts'
import { dayTime } from '../../ui/format.ts'
import { withUnit } from './amount.ts'

/** So many steps are read; older ones of a finding that chatters are in the list of alarms. */
const shown = 50

/** What happened to a finding and was written about it, newest first. */
export function WarningLife({ warning: { Event } }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  const mayEdit = useMayEdit()
  const query = useCall(listEventSteps, { params: { EventID: Event.EventID }, query: { Size: shown } })
  return (
    <section className="part" aria-label={t('life')}>
      <h3>{t('life')}</h3>
      <Unloaded query={query} />
      {query.data?.items.length === 0 && <p className="mute">{t('lifeNone')}</p>}
      {query.data && query.data.items.length > 0 && (
        <ol className="warning-life">
          {query.data.items.map((step) => (
            <Step key={step.StepID} step={step} unit={Event.Unit} />
          ))}
        </ol>
      )}
      {mayEdit && <Comment eventId={Event.EventID} />}
    </section>
  )
}

function Step({ step: { At, Act, Actor, Text, Value, Limit }, unit }: { step: EventStep; unit: string }) {
  const { t } = useTranslation('warning')
  const figures = Value === null ? '' : ` ${withUnit(Value, unit)}${Limit === null ? '' : ` / ${withUnit(Limit, unit)}`}`
  return (
    <li>
      <time>{dayTime(At).slice(5)}</time>
      <span>
        {t(`acts.${Act}`)}
        {figures}
        {Text !== null && Text !== '' && <small>{Text}</small>}
      </span>
      <i>{Actor ?? t('system')}</i>
    </li>
  )
}

/** What somebody found or did, for whoever comes next. */
function Comment({ eventId }: { eventId: string }) {
  const { t } = useTranslation('warning')
  // The same comment sent again after a broken answer is one comment.
  const [id, setId] = useState(newId)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || text.trim() === '') return
    setBusy(true)
    const sent = await callWithToast(
      change(commentEvent, { params: { EventID: eventId }, body: { CommentID: id, Text: text.trim() } }),
    )
    setBusy(false)
    if (!sent) return
    setText('')
    setId(newId())
  }
  return (
    <form className="warning-comment" onSubmit={send}>
      <span className="field">
        <input
          aria-label={t('comment')}
          placeholder={t('comment')}
          maxLength={1_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </span>
      <button type="submit" className="btn" disabled={busy || text.trim() === ''}>
        {t('send')}
      </button>
    </form>
  )
}
