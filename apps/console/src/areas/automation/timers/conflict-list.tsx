import type { Timer, TimerPlan } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { whenOf } from '../parts/civil-text.ts'
import { ConflictItems, conflictGroups } from '../parts/conflict-items.tsx'
import { CutNote } from '../parts/cut-note.tsx'

const shownConflicts = 20

/** What a timer does to others and to its lines, and the way to what it clashes with. */
export function ConflictList({ timer, plan, onOpen }: { timer: Timer; plan: TimerPlan; onOpen: (timerId: number) => void }) {
  const { t } = useTranslation('timers')
  const { Conflicts, CheckedTo } = plan
  const groups = conflictGroups(Conflicts)
  return (
    <section className="part" aria-label={t('conflicts')}>
      <h3>
        {t('conflicts')} {timer.Enabled && <small>{t('checkedTo', { when: whenOf(CheckedTo, timer.TimeZone) })}</small>}
      </h3>
      <CutNote at={plan.CutAt} timeZone={timer.TimeZone} />
      {groups.length === 0 ? (
        <p className="mute">{timer.Enabled ? t('noConflicts') : t('conflictsWhenEnabled')}</p>
      ) : (
        <ConflictItems
          groups={groups.slice(0, shownConflicts)}
          timerId={timer.TimerID}
          timeZone={timer.TimeZone}
          isConfirmed={null}
          nameOf={({ ControllerID, LineNo }) =>
            timer.Lines.find((line) => line.ControllerID === ControllerID && line.LineNo === LineNo)?.LineName ??
            `${ControllerID}/${LineNo}`
          }
          actsOf={({ TimerID }) =>
            TimerID !== null &&
            TimerID !== timer.TimerID && (
              <button type="button" className="btn small" onClick={() => onOpen(TimerID)}>
                {t('showOther')}
              </button>
            )
          }
        />
      )}
      {groups.length > shownConflicts && <p className="mute">{t('moreConflicts', { count: groups.length - shownConflicts })}</p>}
    </section>
  )
}
