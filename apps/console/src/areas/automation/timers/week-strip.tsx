import type { Timer, TimerPlan } from '@linewarden/contract'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { civilText } from '../parts/civil-text.ts'
import { CutNote } from '../parts/cut-note.tsx'
import './week-strip.css'

const rowHeight = 24
const shownLines = 8

type Row = Timer['Lines'][number]

/** A week of the lines of a timer: when it keeps each on, and when every other timer does. */
export function WeekStrip({ timer, plan }: { timer: Timer; plan: TimerPlan }) {
  const { t } = useTranslation(['timers', 'automation'])
  const [isWhole, setWhole] = useState(false)
  const rows = isWhole ? timer.Lines : timer.Lines.slice(0, shownLines)
  const rest = timer.Lines.length - shownLines
  const at = (ms: number) =>
    `${(((Math.min(Math.max(ms, plan.From), plan.To) - plan.From) / (plan.To - plan.From)) * 100).toFixed(3)}%`
  const now = useByNow((ms) => Math.floor(ms / 60_000) * 60_000)
  const isOpposed = plan.Timers.some(({ Opposed }) => Opposed.length > 0)
  return (
    <section className="part" aria-label={t('week')}>
      <h3>
        {t('week')} <small>{t('weekOf', { count: timer.Lines.length })}</small>
      </h3>
      <div className="week" role="img" aria-label={t('weekLabel', { count: rows.length, others: plan.Timers.length - 1 })}>
        <div className="week-days">
          {plan.Days.map(({ Date: date, At, Class, ClassName }) => (
            <span
              key={date}
              className={Class === 'workday' ? '' : 'off'}
              style={{ left: at(At) }}
              title={ClassName ?? t(`automation:classes.${Class}`)}
            >
              {t(`automation:weekday${weekdayOf(date)}`)} <small>{date.slice(8)}</small>
            </span>
          ))}
        </div>
        {rows.map((row) => (
          <WeekRow key={row.LineID} row={row} timer={timer} plan={plan} at={at} now={now} />
        ))}
      </div>
      {rest > 0 && (
        <button type="button" className="btn small quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('fewerLines') : t('moreLines', { count: rest })}
        </button>
      )}
      <CutNote at={plan.CutAt !== null && plan.CutAt < plan.To ? plan.CutAt : null} timeZone={timer.TimeZone} />
      <p className="week-keys">
        <span>
          <i className="own" />
          {t('thisTimer')}
        </span>
        <span>
          <i className="other" />
          {t('otherTimers')}
        </span>
        <span>
          <i className="left" />
          {t('leftOut')}
        </span>
        {isOpposed && (
          <span className="opposed">
            <i className="opposed" />
            {t('opposed')}
          </span>
        )}
        <span>{t('nowAt', { time: civilText(now, timer.TimeZone, now).time })}</span>
      </p>
    </section>
  )
}

function WeekRow({
  row,
  timer,
  plan,
  at,
  now,
}: {
  row: Row
  timer: Timer
  plan: TimerPlan
  at: (ms: number) => string
  now: number
}) {
  const hatch = useId()
  const of = plan.Timers.filter(({ LineIDs }) => LineIDs.includes(row.LineID))
  const bars = of.flatMap((each) =>
    each.Windows.map((window) => ({ ...window, To: window.To ?? plan.To, by: each, isOwn: each.TimerID === timer.TimerID })),
  )
  const opposed = of.flatMap(({ Opposed, Name }) => Opposed.map((ms) => ({ ms, Name })))
  const tip = (name: string, from: number, to: number) => {
    const [begin, end] = [civilText(from, timer.TimeZone, now), civilText(to, timer.TimeZone, now)]
    return `${name} ${begin.date} ${begin.time} – ${end.date} ${end.time}`
  }
  return (
    <div className="week-row">
      <span className="named-line" title={row.LineName}>
        <bdi>{row.LineName}</bdi>
        <LineTag lineId={row.LineID} />
      </span>
      <svg height={rowHeight} width="100%" aria-hidden="true">
        <defs>
          <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1="0" y1="0" x2="0" y2="5" className="week-hatch" />
          </pattern>
        </defs>
        {plan.Days.map(({ Date: date, At }) => (
          <line key={date} className="week-grid" x1={at(At)} x2={at(At)} y1="0" y2={rowHeight} />
        ))}
        {bars.map(({ From, To, Left, by, isOwn }) => {
          const overlaps =
            !Left && bars.some((other) => !other.Left && other.isOwn !== isOwn && other.From < To && From < other.To)
          const [y, height] = overlaps ? (isOwn ? [3, 9] : [12, 9]) : [5, 14]
          return (
            <rect
              key={`${by.TimerID} ${From}`}
              x={at(From)}
              width={widthOf(plan, From, To)}
              y={y}
              height={height}
              className={`week-bar ${Left ? 'left' : isOwn ? 'own' : 'other'}`}
              fill={Left ? `url(#${hatch})` : undefined}
            >
              <title>{tip(by.Name, From, To)}</title>
            </rect>
          )
        })}
        {of.flatMap(({ Instants, TimerID, Name }) =>
          Instants.map(({ At }) => (
            <line key={`${TimerID} ${At}`} className="week-instant" x1={at(At)} x2={at(At)} y1="5" y2="19">
              <title>{tip(Name, At, At)}</title>
            </line>
          )),
        )}
        {opposed.map(({ ms, Name }) => (
          <line key={`${Name} ${ms}`} className="week-opposed" x1={at(ms)} x2={at(ms)} y1="1" y2={rowHeight - 1}>
            <title>{tip(Name, ms, ms)}</title>
          </line>
        ))}
        <line className="week-now" x1={at(now)} x2={at(now)} y1="0" y2={rowHeight} />
      </svg>
    </div>
  )
}

const widthOf = ({ From, To }: TimerPlan, begin: number, end: number): string =>
  `${(((Math.min(end, To) - Math.max(begin, From)) / (To - From)) * 100).toFixed(3)}%`

/** 0 Monday to 6 Sunday, of a date as it is written. */
const weekdayOf = (date: string): 0 | 1 | 2 | 3 | 4 | 5 | 6 => ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) as 0
