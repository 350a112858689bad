import type { Timer, TimerPlan } from '@linewarden/contract'
import { deleteTimer, skipTimer, takeTimer } from '@linewarden/contract'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { messageOf, send } from '../../../app/net/api.ts'
import { change, changeEach } from '../../../app/net/change.ts'
import { touched } from '../../../app/net/touched.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { whenOf } from '../parts/civil-text.ts'
import { TimerActDialog } from './timer-act-dialog.tsx'

const shownLines = 8

/** The next run is left out. What that means for each line is said before: how it stays, and until when. */
export function SkipTimerDialog({ timer, plan, onClose }: { timer: Timer; plan: TimerPlan; onClose: () => void }) {
  const { t } = useTranslation(['timers', 'automation'])
  const [{ TimerID, Version, Name, TimeZone }] = useState(timer)
  const [next] = useState(() => plan.Next.find(({ Skip }) => Skip === null))
  if (!next) return null
  const action = t(`automation:actions.${next.Action}`)
  const kept = next.Action === 'trip' ? 'staysOn' : next.Action === 'close' ? 'staysOff' : 'notTested'
  const skip = async () => {
    await change(skipTimer, { body: { TimerID, Version, Until: next.At } })
    return null
  }
  return (
    <TimerActDialog title={t('skipTitle', { name: Name })} submit={t('skip')} proves={null} act={skip} onClose={onClose}>
      <p>{t('skipWhat', { when: whenOf(next.At, TimeZone), action })}</p>
      <p>{t(kept)}</p>
      <ul className="timer-instead">
        {plan.Instead.slice(0, shownLines).map(({ LineID, LineName, At, By }) => (
          <li key={LineID}>
            <span>
              {LineName} <LineTag lineId={LineID} />
            </span>
            <small>
              {At === null
                ? t('notWithinDays')
                : By === Name
                  ? t('nextThen', { when: whenOf(At, TimeZone), action })
                  : t('nextThenBy', { when: whenOf(At, TimeZone), action, name: By ?? '' })}
            </small>
          </li>
        ))}
        {plan.Instead.length > shownLines && <li>{t('moreLines', { count: plan.Instead.length - shownLines })}</li>}
      </ul>
    </TimerActDialog>
  )
}

/** What was left out fires again, by the rights of whoever says so. */
export function UnskipTimerDialog({ timer, onClose }: { timer: Timer; onClose: () => void }) {
  const { t } = useTranslation('timers')
  const [{ TimerID, Version, Name }] = useState(timer)
  return (
    <TimerActDialog
      title={t('unskipTitle', { name: Name })}
      submit={t('unskip')}
      proves="skip"
      act={async (grantOf) => {
        await change(skipTimer, { body: { TimerID, Version, Until: null, ...(await grantOf({ TimerID, Version })) } })
        return null
      }}
      onClose={onClose}
    >
      <p>{t('unskipWhat')}</p>
    </TimerActDialog>
  )
}

/** Whoever takes timers over answers for what they do from now on. One that fails keeps the others from nothing, and is named. */
export function TakeTimersDialog({ timers, onClose }: { timers: readonly Timer[]; onClose: () => void }) {
  const { t } = useTranslation(['timers', 'automation', 'app'])
  const [these] = useState(timers)
  const [first] = these
  return (
    <TimerActDialog
      title={these.length === 1 ? t('takeTitle', { name: first?.Name ?? '' }) : t('takeAllTitle', { count: these.length })}
      submit={t('take')}
      proves="owner"
      act={async (grantOf) => {
        const failed = await changeEach(takeTimer, these, async ({ TimerID, Version }) => ({
          body: { TimerID, Version, ...(await grantOf({ TimerID, Version })) },
        }))
        const words = failed.map(({ thing, error }) =>
          these.length === 1 ? messageOf(error) : `${thing.Name}${t('app:colon')}${messageOf(error)}`,
        )
        return words.length === 0 ? null : words.join(t('app:semicolon'))
      }}
      onClose={onClose}
    >
      <p>{t('takeWhat')}</p>
      {these.length > 1 && <p className="mute">{these.map(({ Name }) => Name).join(t('automation:nameBetween'))}</p>}
    </TimerActDialog>
  )
}

/** A timer is gone for good; what it did stays in the log. */
export function RemoveTimerDialog({
  timer,
  onGone,
  onRemoved,
  onClose,
}: {
  timer: Timer
  /** It is removed: nothing asks for it any more. */
  onGone: () => void
  onRemoved: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('timers')
  const [{ TimerID, Version, Name, LineCount }] = useState(timer)
  return (
    <TimerActDialog
      title={t('removeTitle', { name: Name })}
      submit={t('remove')}
      proves={null}
      act={async () => {
        await send(deleteTimer, { body: { TimerID, Version } })
        // What shows it asks for it no more before the rest is read again.
        flushSync(onGone)
        await touched(deleteTimer)
        onRemoved()
        return null
      }}
      onClose={onClose}
    >
      <p>{t('removeWhat', { count: LineCount })}</p>
    </TimerActDialog>
  )
}
