import type { Timer, TimerConflict, TimerPlan } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../../../ui/format.ts'
import { Mark } from '../../../ui/mark.tsx'
import { whenOf } from './timer-acts.tsx'

const shownConflicts = 20

/** What a timer does to others and to its lines: both sides, the line, the first instant, and the way to what it clashes with. */
export function ConflictList({ timer, plan, onOpen }: { timer: Timer; plan: TimerPlan; onOpen: (timerId: number) => void }) {
  const { t } = useTranslation('timers')
  const { Conflicts, CheckedTo } = plan
  return (
    <section className="part" aria-label={t('conflicts')}>
      <h3>
        {t('conflicts')} {timer.Enabled && <small>{t('checkedTo', { when: whenOf(CheckedTo, timer.TimeZone) })}</small>}
      </h3>
      {Conflicts.length === 0 ? (
        <p className="mute">{timer.Enabled ? t('noConflicts') : t('conflictsWhenEnabled')}</p>
      ) : (
        <ul className="timer-conflicts">
          {Conflicts.slice(0, shownConflicts).map((conflict) => (
            <Conflict key={JSON.stringify(conflict)} conflict={conflict} timer={timer} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {Conflicts.length > shownConflicts && (
        <p className="mute">{t('moreConflicts', { count: Conflicts.length - shownConflicts })}</p>
      )}
    </section>
  )
}

function Conflict({ conflict, timer, onOpen }: { conflict: TimerConflict; timer: Timer; onOpen: (timerId: number) => void }) {
  const { t } = useTranslation('timers')
  const { Key, Effect, TimerID, Name, By, Line, At, Figure } = conflict
  const line =
    Line && timer.Lines.find(({ ControllerID, LineNo }) => ControllerID === Line.ControllerID && LineNo === Line.LineNo)
  const figure = Figure === null ? '' : Key === 'queue' ? span(Figure) : String(Figure)
  const isUnnamed = Name === null && (Key === 'fight' || Key === 'duplicate')
  const what = isUnnamed ? t(`conflictsUnnamed.${Key}`) : t(`conflictKinds.${Key}`, { name: Name ?? '', figure })
  return (
    <li>
      <Mark kind={Effect === 'confirm' || Effect === 'refused' || Effect === 'warn' ? 'warning' : 'order'} />
      <span>
        {line ? t('conflictOfLine', { line: line.LineName, what }) : what}
        <small>
          {[At === null ? '' : t('firstAt', { when: whenOf(At, timer.TimeZone) }), By === null ? '' : t('taggedBy', { name: By })]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
      {TimerID !== null && TimerID !== timer.TimerID && (
        <button type="button" className="btn small" onClick={() => onOpen(TimerID)}>
          {t('showOther')}
        </button>
      )}
    </li>
  )
}
