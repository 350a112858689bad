import type { Timer, TimerPlan } from '@linewarden/contract'
import { getTimer, timerPlan } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { Drawer } from '../../../ui/drawer.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { whenOf } from '../parts/civil-text.ts'
import { ClockNote, Until } from '../parts/next-run.tsx'
import { periodText, pointText } from '../parts/period-text.ts'
import { ConflictList } from './conflict-list.tsx'
import { ForeseenText } from './foreseen-text.tsx'
import { LastRuns } from './last-runs.tsx'
import { TimerFoot } from './timer-foot.tsx'
import { WeekStrip } from './week-strip.tsx'
import './timer-drawer.css'

/** Of what is due, the plan moves on by itself. */
const everyMs = 30_000

/** One timer: what it does next and what will go wrong, the week of its lines, what it clashes with, how it ran, and what can be done here. */
export function TimerDrawer({
  timerId,
  onOpen,
  onClose,
}: {
  timerId: number
  onOpen: (timerId: number) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['timers', 'automation', 'app'])
  const [isGone, setGone] = useState(false)
  const asks = { refetchInterval: everyMs, enabled: !isGone }
  const query = useCall(getTimer, { params: { TimerID: timerId } }, asks)
  const planQuery = useCall(timerPlan, { params: { TimerID: timerId } }, asks)
  const timer = query.data
  const plan = planQuery.data
  if (!timer)
    return (
      <Drawer label={t('details')} title={<h2>{t('details')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  return (
    <Drawer
      label={t('details')}
      title={
        <>
          <h2>{timer.Name}</h2>
          <span className="chip">{timer.Enabled ? t('app:enabled') : t('app:disabled')}</span>
          {timer.Orphan && (
            <span className="mark-tag fault">
              <Mark kind="fault" size={12} />
              {t('orphan')}
            </span>
          )}
        </>
      }
      subtitle={<Subtitle timer={timer} />}
      foot={<TimerFoot timer={timer} plan={plan ?? null} onGone={() => setGone(true)} onRemoved={onClose} />}
      onClose={onClose}
    >
      <div className="drawer-parts timer-drawer">
        <Unloaded query={query} />
        <Unloaded query={planQuery} />
        {plan && (
          <>
            <NextRuns timer={timer} plan={plan} />
            {timer.Lines.length > 0 && <WeekStrip timer={timer} plan={plan} />}
            <ConflictList timer={timer} plan={plan} onOpen={onOpen} />
          </>
        )}
        <Exceptions timer={timer} />
        <LastRuns timer={timer} />
      </div>
    </Drawer>
  )
}

function Subtitle({ timer }: { timer: Timer }) {
  const { t } = useTranslation(['timers', 'automation', 'app'])
  const words = [
    [timer.Function ? t(`automation:functions.${timer.Function}`) : '', timer.SceneName ?? ''].filter(Boolean).join(' '),
    [timer.Type ? t(`automation:types.${timer.Type}`) : '', periodText(timer)].join(' '),
    timer.Points.map(pointText).join(t('app:comma')),
    t('automation:lines', { count: timer.LineCount }),
    timer.OwnerName === null ? '' : t('ownedBy', { name: timer.OwnerName }),
    t('version', { version: timer.Version }),
  ]
  return <p className="mute">{words.filter(Boolean).join(' · ')}</p>
}

function NextRuns({ timer, plan }: { timer: Timer; plan: TimerPlan }) {
  const { t } = useTranslation(['timers', 'automation', 'app'])
  return (
    <section className="part" aria-label={t('nextFive')}>
      <h3>
        {t('nextFive')} <small>{t('byZone', { zone: timer.TimeZone })}</small>
      </h3>
      {plan.Next.length === 0 && <p className="mute">{timer.Enabled ? t('nothingDue') : t('disabledNow')}</p>}
      <ol className="timer-next">
        {plan.Next.map((run) => (
          <li key={`${run.At} ${run.PointNo}`} className={run.Skip === null ? '' : 'left'}>
            <span>
              <b>{whenOf(run.At, timer.TimeZone)}</b> {t(`automation:actions.${run.Action}`)}
            </span>
            <small>
              {[
                run.ClassName === null
                  ? t(`automation:classes.${run.Class}`)
                  : t('classNamed', { class: t(`automation:classes.${run.Class}`), name: run.ClassName }),
              ].join()}
              <ClockNote next={run} timeZone={timer.TimeZone} />
            </small>
            <small className="until">{run.Skip === null ? <Until at={run.At} /> : t(`skips.${run.Skip}`)}</small>
            {run.Foreseen.length > 0 && (
              <small className="foreseen">
                <ForeseenText foreseen={run.Foreseen} />
              </small>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Exceptions({ timer }: { timer: Timer }) {
  const { t } = useTranslation(['timers', 'app'])
  if (timer.Exceptions.length === 0) return null
  return (
    <section className="part" aria-label={t('exceptions')}>
      <h3>{t('exceptions')}</h3>
      <ul className="timer-exceptions">
        {timer.Exceptions.map(({ FromDate, ToDate, Do }) => (
          <li key={`${FromDate} ${ToDate}`}>
            <span>{FromDate === ToDate ? FromDate : `${FromDate} – ${ToDate}`}</span>
            <span className="mute">{Do === 'none' ? t('doesNothing') : Do.map(pointText).join(t('app:comma'))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
