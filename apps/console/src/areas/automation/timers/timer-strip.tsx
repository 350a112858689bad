import type { TimersAbout } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { ListState } from '../../../ui/list-state.ts'
import { Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { civilText } from '../parts/civil-text.ts'
import '../../../ui/strip.css'

/** How many act by themselves, what comes next and what is wrong with them; a press shows those alone. */
export function TimerStrip({
  about,
  list,
  onDay,
  onOpen,
}: {
  about: TimersAbout
  list: ListState
  /** Shows what happens today; null: the place is of several projects. */
  onDay: (() => void) | null
  onOpen: (timerId: number) => void
}) {
  const { t } = useTranslation('timers')
  const { Total, Enabled, Today, Next, Conflict, Orphan, Missed, Overdue } = about
  const filter = (name: string, value: string, label: string, count: number, note: string) => {
    const isOn = list.filter(name) === value
    const isOdd = name === 'owner' && count > 0
    return (
      <button
        type="button"
        className={isOdd ? 'odd' : undefined}
        aria-pressed={isOn}
        onClick={() => list.setFilter(name, isOn ? '' : value)}
      >
        <span className="state">
          {isOdd && <Mark kind="fault" size={12} />}
          {label}
        </span>
        <b>
          {count}
          {note !== '' && <span className="unit">{note}</span>}
        </b>
      </button>
    )
  }
  return (
    <section className="strip timers-strip" aria-label={t('strip')}>
      {filter('on', 'yes', t('stripEnabled'), Enabled, t('ofAll', { count: Total }))}
      {Today && onDay && (
        <button type="button" onClick={onDay}>
          <span className="state">{t('stripToday')}</span>
          <b>
            {Today.Done + Today.Coming}
            <span className="unit">{t('todayNote', { done: Today.Done, coming: Today.Coming })}</span>
          </b>
        </button>
      )}
      <NextDue next={Next} onOpen={onOpen} />
      {filter('conflict', 'yes', t('conflict'), Conflict, '')}
      {filter('owner', 'none', t('orphan'), Orphan, '')}
      {filter('missed', 'yes', t('missedLately'), Missed, t('runsNote', { count: Missed }))}
      <div className={Overdue > 0 ? 'odd' : undefined}>
        <span className="state">{t('stripOverdue')}</span>
        <b>{Overdue}</b>
      </div>
    </section>
  )
}

function NextDue({ next, onOpen }: { next: TimersAbout['Next']; onOpen: (timerId: number) => void }) {
  const { t } = useTranslation(['timers', 'automation'])
  const minute = useByNow((now) => Math.floor(now / 60_000))
  if (!next)
    return (
      <div>
        <span className="state">{t('stripNext')}</span>
        <b>
          –<span className="unit">{t('nothingDue')}</span>
        </b>
      </div>
    )
  const { date, time } = civilText(next.At, next.TimeZone, minute * 60_000)
  return (
    <button type="button" className="next" onClick={() => onOpen(next.TimerID)}>
      <span className="state">{[t('stripNext'), ...(date === t('automation:today') ? [] : [date])].join(' · ')}</span>
      <b>
        {time}
        <span className="unit" title={next.Name}>
          <bdi>{next.Name}</bdi> {t(`automation:actions.${next.Action}`)}
        </span>
      </b>
    </button>
  )
}
