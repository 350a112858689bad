import type { Timer, TimerPlan } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { whenOf } from '../parts/civil-text.ts'
import { SwitchTimerDialog } from './switch-timer-dialog.tsx'
import { RemoveTimerDialog, SkipTimerDialog, TakeTimersDialog, UnskipTimerDialog } from './timer-acts.tsx'
import { useNoTimers } from './why-no-change.ts'

type Asked = 'skip' | 'unskip' | 'take' | 'switch' | 'remove'

/** What can be done with a timer; what cannot says why. */
export function TimerFoot({
  timer,
  plan,
  onGone,
  onRemoved,
}: {
  timer: Timer
  plan: TimerPlan | null
  onGone: () => void
  onRemoved: () => void
}) {
  const { t } = useTranslation(['timers', 'automation'])
  const [asked, setAsked] = useState<Asked | null>(null)
  const [, setAddress] = useSearchParams()
  const reason = useNoTimers()(timer)
  const isPhone = usePhone()
  const editReason = reason ?? (isPhone ? t('tooNarrow') : null)
  const next = plan?.Next.find(({ Skip }) => Skip === null)
  const close = () => setAsked(null)
  const button = (act: Asked, words: string, icon: 'clock' | 'refresh' | 'hand' | 'trash' | null, extra = '') => (
    <ReasonedButton className={`btn large${extra}`} reason={reason} onClick={() => setAsked(act)}>
      {icon && <Icon name={icon} />}
      {words}
    </ReasonedButton>
  )
  const form = (name: 'edit' | 'copy') => () =>
    setAddress((before) => {
      before.set(name, String(timer.TimerID))
      return before
    })
  return (
    <footer className="drawer-foot timer-foot">
      {timer.Orphan && button('take', t('take'), 'hand', ' primary')}
      {timer.SkipNextUntil !== null
        ? button('unskip', t('unskip'), 'refresh')
        : next && button('skip', t('skipThis', { when: whenOf(next.At, timer.TimeZone) }), 'clock')}
      <ReasonedButton className="btn large" reason={editReason} onClick={form('edit')}>
        <Icon name="edit" />
        {t('edit')}
      </ReasonedButton>
      <span className="grow" />
      <ReasonedButton className="btn quiet" reason={editReason} onClick={form('copy')}>
        {t('copy')}
      </ReasonedButton>
      <ReasonedButton className="btn quiet" reason={reason} onClick={() => setAsked('switch')}>
        {timer.Enabled ? t('disable') : t('enable')}
      </ReasonedButton>
      <ReasonedButton className="btn quiet" reason={reason} onClick={() => setAsked('remove')}>
        {t('remove')}
      </ReasonedButton>
      {asked === 'skip' && plan && <SkipTimerDialog timer={timer} plan={plan} onClose={close} />}
      {asked === 'unskip' && <UnskipTimerDialog timer={timer} onClose={close} />}
      {asked === 'take' && <TakeTimersDialog timers={[timer]} onClose={close} />}
      {asked === 'switch' && <SwitchTimerDialog timer={timer} onClose={close} />}
      {asked === 'remove' && <RemoveTimerDialog timer={timer} onGone={onGone} onRemoved={onRemoved} onClose={close} />}
    </footer>
  )
}
