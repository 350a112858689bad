import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayOpen } from '../../../../app/session/use-may.ts'
import { paths } from '../../../../paths.ts'
import { TaggedMark } from '../../../../plant/tag-mark.tsx'
import { span } from '../../../../ui/format.ts'
import { Mark } from '../../../../ui/mark.tsx'
import { Place } from '../../../../ui/place.tsx'
import { countsBeside, lateText, reasonsOf } from '../../log/run-reasons.ts'
import { offsetText, untilText } from '../../parts/civil-text.ts'
import { RunStateWord } from '../../parts/run-state.tsx'
import { ForeseenBrief, ForeseenText } from '../foreseen-text.tsx'
import type { DayItem } from './day-facts.ts'
import { stateOf } from './day-facts.ts'
import type { DayHour } from './day-hours.ts'
import { clockText } from './day-hours.ts'

/** What happens, along the clock of the project: what is over with its outcome, then now, then what is to come with what will not be done of it. */
export function DayList({
  hours,
  now,
  timeZone,
  onOpen,
}: {
  hours: readonly (DayHour & { readonly items: readonly DayItem[] })[]
  now: number
  timeZone: string
  onOpen: (timerId: number) => void
}) {
  const { t } = useTranslation('timerDay')
  const filled = hours.filter(({ items }) => items.length > 0)
  const isToday = now >= (hours[0]?.from ?? 0) && now < (hours.at(-1)?.to ?? 0)
  const all = filled.flatMap(({ items }) => items)
  const firstAhead = isToday ? (all.find(({ At }) => At > now) ?? null) : null
  const line = (
    <li className="day-now" aria-current="time">
      <span>{t('now', { time: clockText(Math.floor(now / 60_000) * 60_000, timeZone) })}</span>
    </li>
  )
  return (
    <ol className="day-actions">
      {filled.map(({ from, label, offsetMs, items }) => {
        // Where nothing is left of this hour, now is between it and the next that has something.
        const isBefore = now < from && items[0] === firstAhead
        return (
          <Fragment key={from}>
            {isBefore && (
              <li>
                <ol>{line}</ol>
              </li>
            )}
            <li data-hour={from}>
              <h3>
                {label}
                {offsetMs !== null && <small>{offsetText(offsetMs)}</small>}
              </h3>
              <ol>
                {items.map((item) => (
                  <Fragment key={`${item.TimerID} ${item.At} ${item.Run?.RunID ?? ''}`}>
                    {item === firstAhead && !isBefore && line}
                    <Item item={item} now={now} timeZone={timeZone} onOpen={onOpen} />
                  </Fragment>
                ))}
              </ol>
            </li>
          </Fragment>
        )
      })}
      {isToday && firstAhead === null && (
        <li>
          <ol>{line}</ol>
        </li>
      )}
    </ol>
  )
}

function Item({
  item,
  now,
  timeZone,
  onOpen,
}: {
  item: DayItem
  now: number
  timeZone: string
  onOpen: (timerId: number) => void
}) {
  const { t } = useTranslation(['timerDay', 'timers', 'automation'])
  const { At, TimerID, Name, Action, SceneName, LineCount, LineNames, Tagged, Clock } = item
  return (
    <li className={`day-item ${stateOf(item)}`}>
      <span className="at">{clockText(At, timeZone)}</span>
      <i className="dot" aria-hidden="true" />
      <span className="what">
        <b>{Action ? t(`automation:actions.${Action}`) : '–'}</b>
        <button
          type="button"
          className="timer-open"
          aria-label={t('timers:openTimer', { name: Name })}
          onClick={() => onOpen(TimerID)}
        >
          {Name}
        </button>
      </span>
      <small className="of-lines">
        {SceneName !== null && `${SceneName} · `}
        {LineCount > 0 && (
          <>
            {t('automation:lines', { count: LineCount })} <TaggedMark count={Tagged} /> ·{' '}
            <Place names={LineNames} between={t('automation:nameBetween')} />
            {LineCount > LineNames.length && t('automation:andMore', { names: '' })}
          </>
        )}
      </small>
      <Outcome item={item} now={now} />
      {Clock !== 'plain' && <small className="why">{t(`automation:${Clock}`)}</small>}
    </li>
  )
}

function Outcome({ item, now }: { item: DayItem; now: number }) {
  const { t } = useTranslation(['timerDay', 'timers', 'automation'])
  const mayOpenLog = useMayOpen(paths.timerLog)
  const { At, Run, Overdue, Skip, Foreseen } = item
  if (Overdue)
    return (
      <span className="outcome late">
        <Mark kind="fault" size={12} />
        {t('overdueFor', { span: span(now - At) })}
      </span>
    )
  if (!Run)
    return (
      <>
        <span className="outcome">
          {Skip === null ? (
            <>
              {untilText(At - now)}
              <ForeseenBrief foreseen={Foreseen} />
            </>
          ) : (
            <b>{t(`timers:skips.${Skip}`)}</b>
          )}
        </span>
        {Foreseen.length > 0 && (
          <small className="why">
            <ForeseenText foreseen={Foreseen} />
          </small>
        )}
      </>
    )
  const reasons = reasonsOf({ Why: Run.Why, Reasons: Run.Reasons, StoppedBy: null })
  return (
    <>
      <span className="outcome">
        {mayOpenLog ? (
          <Link to={`${paths.timerLog}?run=${Run.RunID}`}>
            <RunStateWord state={Run.State} />
          </Link>
        ) : (
          <RunStateWord state={Run.State} />
        )}
        <small>
          {[countsBeside(Run), Run.ClaimedAt - At >= 1_000 ? t('claimedLate', { late: lateText(Run.ClaimedAt - At) }) : '']
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
      {reasons.length > 0 && <small className="why">{reasons.join(' · ')}</small>}
    </>
  )
}
