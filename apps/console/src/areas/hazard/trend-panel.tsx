import type { Analysis } from '@linewarden/contract'
import { isBlindDay, trendHeight } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { lazyPart } from '../../app/net/lazy-part.tsx'
import { useSelection } from '../../plant/selection.ts'
import type { AnalysisAddress } from './address.ts'
import { Changes } from './change-list.tsx'
import { FigureLink } from './figure-link.tsx'
import { count, percent, shortDay } from './figures.ts'
import type { Behind } from './links.ts'
import { listBehind } from './links.ts'
import { Panel } from './panel.tsx'

// The chart library comes while the figures can be read.
const TrendChart = lazyPart(async () => (await import('./trend-chart.tsx')).TrendChart)

type Day = Analysis['Days'][number]

/** Alarms and availability day by day, with what was changed meanwhile. `sums`: this period and the one before it, in words. */
export function TrendPanel({ data, address, sums }: { data: Analysis; address: AnalysisAddress; sums: string }) {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  const navigate = useNavigate()
  const [over, setOver] = useState<number | null>(null)
  const { Days: days, Changes: changes, RuleChanges: rules, SheetChanges: sheet, TuningChanges: tunings } = data
  const changed = useMemo(
    () => [
      ...new Set(
        [...changes, ...rules, ...sheet, ...tunings]
          .map(({ At }) => days.findLastIndex(({ From }) => From <= At))
          .filter((each) => each >= 0),
      ),
    ],
    [changes, rules, sheet, tunings, days],
  )
  const shown = over === null ? null : days[over]
  return (
    <Panel
      className="wide"
      title={t('trend')}
      hint={
        shown ? (
          readoutOf(shown, t)
        ) : (
          <FigureLink address={address} behind={{ counted: 'announced', from: data.From, to: data.To }} n={data.Total.Announced}>
            {sums}
          </FigureLink>
        )
      }
      tools={
        <span className="keys" aria-hidden="true">
          <i className="sq" /> {t('present')}
          {days.some(({ Before }) => Before !== null) && (
            <>
              <i className="ghost" /> {t('before')}
            </>
          )}
          {changed.length > 0 && (
            <>
              <i className="flag" /> {t('changes')}
            </>
          )}
          <i className="sq hatch" /> {t('noData')}
        </span>
      }
    >
      <div style={{ minHeight: trendHeight }}>
        <TrendChart
          days={days}
          changed={changed}
          label={`${t('trend')}: ${sums}`}
          onDay={setOver}
          onOpen={(place) => {
            const day = days[place]
            if (day) void navigate(listBehind(address, selection, presentOf(data, place)))
          }}
        />
      </div>
      {changed.length > 0 && <Changes changes={changes} rules={rules} sheet={sheet} tunings={tunings} />}
      <DayTable data={data} address={address} />
    </Panel>
  )
}

const presentOf = ({ Days, To }: Analysis, place: number): Behind => ({
  counted: 'announced',
  ...{ from: Days[place]?.From ?? To, to: Days[place + 1]?.From ?? To },
})

const beforeOf = ({ Days, From }: Analysis, place: number): Behind => ({
  counted: 'announced',
  ...{ from: Days[place]?.BeforeFrom ?? From, to: Days[place + 1]?.BeforeFrom ?? From },
})

/** What the picture shows, in figures that open their lists. */
function DayTable({ data, address }: { data: Analysis; address: AnalysisAddress }) {
  const { t } = useTranslation('analysis')
  return (
    <details className="day-table">
      <summary>{t('dayTable')}</summary>
      <table>
        <thead>
          <tr>
            <th>{t('day')}</th>
            <th className="end">{t('alarms')}</th>
            <th className="end">{t('before')}</th>
            <th className="end">{t('availability')}</th>
            <th className="end">{t('longActive')}</th>
          </tr>
        </thead>
        <tbody>
          {data.Days.map((day, place) => (
            <tr key={day.Day}>
              <td>{day.Day}</td>
              <td className="end">
                <FigureLink address={address} behind={presentOf(data, place)} n={day.Announced}>
                  {count(day.Announced)}
                </FigureLink>
              </td>
              <td className="end">
                {day.Before === null ? (
                  '–'
                ) : (
                  <FigureLink address={address} behind={beforeOf(data, place)} n={day.Before}>
                    {count(day.Before)}
                  </FigureLink>
                )}
              </td>
              <td className="end">{percent(day.Availability)}</td>
              <td className="end">
                <FigureLink
                  address={address}
                  behind={{ counted: 'longActive', days: { from: day.Day, to: day.Day } }}
                  n={day.LongActive}
                >
                  {day.LongActive}
                </FigureLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function readoutOf(day: Day, t: TFunction<'analysis'>): string {
  return [
    t('dayReadout', { day: shortDay(day.Day), count: day.Announced }),
    ...(day.Before === null ? [] : [t('dayBefore', { count: day.Before })]),
    ...(day.Availability === null ? [] : [t('dayAvailability', { percent: percent(day.Availability) })]),
    ...(day.LongActive === 0 ? [] : [t('dayLong', { count: day.LongActive })]),
    ...(isBlindDay(day) ? [t('dayBlind')] : []),
  ].join(' · ')
}
