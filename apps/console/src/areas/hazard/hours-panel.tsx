import type { Analysis } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSelection } from '../../plant/selection.ts'
import type { AnalysisAddress } from './address.ts'
import { FigureLink } from './figure-link.tsx'
import type { Behind } from './links.ts'
import { listBehind } from './links.ts'
import { Panel } from './panel.tsx'

type Cell = Analysis['Hours'][number]

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** In the order in which the figures count them. */
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
/** Steps of a legend that a person reads at once. */
const nice = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000]
const classes = 4

const rateOf = ({ Announced, Hours }: Cell): number => (Hours === 0 ? 0 : Announced / Hours)

/** How dense: 0 none, 1 to 4 by the step; null: the range has no such hour. */
const classOf = (cell: Cell, step: number): number | null =>
  cell.Hours === 0 ? null : cell.Announced === 0 ? 0 : Math.min(classes, Math.floor(rateOf(cell) / step) + 1)

const figure = (rate: number): string => (rate >= 10 ? rate.toFixed(0) : rate >= 1 ? rate.toFixed(1) : rate.toFixed(2))

/** When alarms come: hour by weekday, by how many hours of that kind there really were. */
export function HoursPanel({ data, address }: { data: Analysis; address: AnalysisAddress }) {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  const navigate = useNavigate()
  const behind = ({ Weekday: weekday, Hour: hour }: Cell): Behind => ({
    ...{ counted: 'announced', from: data.From, to: data.To },
    hour: { weekday, hour, zone: data.TimeZone },
  })
  const open = (cell: Cell) => void navigate(listBehind(address, selection, behind(cell)))
  const nameOf = (weekday: number) => t(`weekdays.${weekdays[weekday] ?? 'mon'}`)
  const densest = data.Hours.reduce((most, each) => (rateOf(each) > rateOf(most) ? each : most))
  const step = nice.find((each) => each * classes >= rateOf(densest)) ?? rateOf(densest)
  const legend = [
    t('none'),
    ...Array.from({ length: classes }, (_, i) =>
      i === classes - 1 ? `> ${round(step * i)}` : `${round(step * i)}–${round(step * (i + 1))}`,
    ),
  ]
  return (
    <Panel title={t('hours')} hint={t('hoursHint')}>
      <table className="heat" aria-label={t('hours')}>
        <thead>
          <tr>
            <td />
            {hours.map((hour) => (
              <th key={hour} scope="col">
                <span className={hour % 3 === 0 ? undefined : 'hidden-head'}>{String(hour).padStart(2, '0')}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((name, weekday) => (
            <tr key={name}>
              <th scope="row">{nameOf(weekday)}</th>
              {hours.map((hour) => {
                const cell = data.Hours[weekday * hours.length + hour]
                const level = cell ? classOf(cell, step) : null
                const words =
                  cell && level !== null && t('hourCell', { weekday: nameOf(weekday), hour, rate: figure(rateOf(cell)) })
                return (
                  <td
                    key={hour}
                    className={`${level === null ? 'unknown' : `level-${level}`}${cell === densest && rateOf(densest) > 0 ? ' densest' : ''}`}
                    {...(words && { title: words, 'aria-label': words })}
                    {...(cell && cell.Announced > 0 && { onClick: () => open(cell) })}
                  />
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="legend" aria-hidden="true">
        {t('perHour')}
        {legend.map((words, level) => (
          <span key={words}>
            <i className={`level-${level}`} /> {words}
          </span>
        ))}
      </p>
      <HourList data={data} address={address} nameOf={nameOf} behind={behind} />
      {rateOf(densest) > 0 && (
        <p>
          <FigureLink address={address} behind={behind(densest)} n={densest.Announced}>
            {t('densest', {
              weekday: nameOf(densest.Weekday),
              from: String(densest.Hour).padStart(2, '0'),
              to: String(densest.Hour + 1).padStart(2, '0'),
              rate: figure(rateOf(densest)),
            })}
          </FigureLink>
        </p>
      )}
    </Panel>
  )
}

/** The map answers the pointer; here its cells are links, the most alarms first. */
function HourList({
  data,
  address,
  nameOf,
  behind,
}: {
  data: Analysis
  address: AnalysisAddress
  nameOf: (weekday: number) => string
  behind: (cell: Cell) => Behind
}) {
  const { t } = useTranslation('analysis')
  const cells = data.Hours.filter(({ Announced }) => Announced > 0).toSorted((a, b) => b.Announced - a.Announced)
  if (cells.length === 0) return null
  return (
    <details className="day-table hour-list">
      <summary>{t('hourList')}</summary>
      <ul>
        {cells.map((cell) => (
          <li key={`${cell.Weekday} ${cell.Hour}`}>
            <FigureLink address={address} behind={behind(cell)} n={cell.Announced}>
              {t('hourItem', {
                weekday: nameOf(cell.Weekday),
                from: String(cell.Hour).padStart(2, '0'),
                to: String(cell.Hour + 1).padStart(2, '0'),
                count: cell.Announced,
              })}
            </FigureLink>
          </li>
        ))}
      </ul>
    </details>
  )
}

const round = (value: number): number => Math.round(value * 100) / 100
