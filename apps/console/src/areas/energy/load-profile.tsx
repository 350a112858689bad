import type { LoadAbout, TypicalDayRow } from '@linewarden/contract'
import type { LoadDayType } from '@linewarden/rules/energy'
import { quarterClock, quartersOfClock } from '@linewarden/rules/energy'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '../../ui/fields.tsx'
import { Cursor } from './load-cursor.tsx'
import { bandPath, kwDigits, kwText, linePath } from './load-figures.ts'
import { frame, KwAxis, kwAxis, LoadData, LoadPanel, NoLoad, Wide } from './load-panel.tsx'
import type { LoadAsked } from './use-load.ts'
import { useLoad } from './use-load.ts'

/** What a day is like: the median of each type, and between what one of them lies on eight of ten days. */
export function ProfilePanel({ asked }: { asked: LoadAsked }) {
  const { t } = useTranslation('loads')
  const { query, rows, about } = useLoad(asked, 'profile')
  const [wanted, want] = useState<LoadDayType>('workday')
  const known = rows?.filter(({ Days }) => Days > 0) ?? []
  const chosen = known.find(({ DayType }) => DayType === wanted) ?? known[0]
  const tools = known.length > 1 && (
    <Segments
      label={t('dayTypes')}
      value={chosen?.DayType ?? null}
      options={known.map(({ DayType }) => ({ value: DayType, label: t(DayType) }))}
      onChange={want}
    />
  )
  return (
    <LoadPanel title={t('profile')} hint={chosen && t('profileHint', { count: chosen.Days })} tools={tools} query={query}>
      {about && !chosen && <NoLoad />}
      {about && chosen && (
        <>
          <Keys chosen={chosen} others={known.filter((each) => each !== chosen)} />
          <Wide height={frame.height}>
            {(width) => <Picture width={width} about={about} chosen={chosen} others={known.filter((each) => each !== chosen)} />}
          </Wide>
          <Table rows={known} digits={kwDigits(about.Max)} />
        </>
      )}
    </LoadPanel>
  )
}

function Keys({ chosen, others }: { chosen: TypicalDayRow; others: readonly TypicalDayRow[] }) {
  const { t } = useTranslation('loads')
  return (
    <p className="load-keys" aria-hidden="true">
      <span className="load-key median">{t('median', { day: t(chosen.DayType) })}</span>
      <span className="load-key range">{t('bandKey')}</span>
      {others.map(({ DayType }, index) => (
        <span className={`load-key other-${index}`} key={DayType}>
          {t('median', { day: t(DayType) })}
        </span>
      ))}
    </p>
  )
}

const hoursShown = [0, 3, 6, 9, 12, 15, 18, 21, 24]
const quartersOfHour = 4

function Picture(props: { width: number; about: LoadAbout; chosen: TypicalDayRow; others: readonly TypicalDayRow[] }) {
  const { width, about, chosen, others } = props
  const { t } = useTranslation('loads')
  const digits = kwDigits(about.Max)
  const most = Math.max(
    0,
    ...[chosen, ...others].flatMap(({ Quarters }) => Quarters.map(({ P90, Median }) => P90 ?? Median ?? 0)),
  )
  const axis = kwAxis(most)
  const inner = Math.max(1, width - frame.left - frame.right)
  const edge = (quarter: number) => frame.left + (inner * quarter) / quartersOfClock
  const middle = (quarter: number) => edge(quarter + 0.5)
  const medians = ({ Quarters }: TypicalDayRow) =>
    linePath(Quarters.map(({ Median }, quarter) => (Median === null ? null : [middle(quarter), axis.y(Median)])))
  const range = bandPath(
    chosen.Quarters.map(({ P10, P90 }, quarter) =>
      P10 === null || P90 === null ? null : [middle(quarter), axis.y(P10), axis.y(P90)],
    ),
  )
  const read = (quarter: number): string => {
    const { Median = null, P10 = null, P90 = null, Count = 0 } = chosen.Quarters[quarter] ?? {}
    const words = { clock: quarterClock(quarter), day: t(chosen.DayType) }
    if (Median === null) return t('profileNone', words)
    const kw = { median: kwText(Median, digits), p10: kwText(P10, digits), p90: kwText(P90, digits) }
    return t('profileAt', { ...words, ...kw, count: Count })
  }
  const placeAt = (x: number): number | null => {
    const quarter = Math.floor(((x - frame.left) / inner) * quartersOfClock)
    return quarter >= 0 && quarter < quartersOfClock ? quarter : null
  }
  return (
    <Cursor label={t('profile')} count={quartersOfClock} start={10 * quartersOfHour} read={read} placeAt={placeAt}>
      {(place) => {
        const median = place === null ? null : (chosen.Quarters[place]?.Median ?? null)
        return (
          <svg width={width} height={frame.height} viewBox={`0 0 ${width} ${frame.height}`} aria-hidden="true">
            <KwAxis axis={axis} width={width} />
            {hoursShown.map((hour) => (
              <text className="energy-axis" key={hour} x={edge(hour * quartersOfHour)} y={frame.height - 6} textAnchor="middle">
                {String(hour).padStart(2, '0')}
              </text>
            ))}
            <path className="load-range" d={range} />
            {others.map((row, index) => (
              <path className={`load-line other-${index}`} key={row.DayType} d={medians(row)} />
            ))}
            <path className="load-line" d={medians(chosen)} />
            {place !== null && (
              <path className="load-cursor" d={`M${middle(place)} ${frame.top}V${frame.height - frame.bottom}`} />
            )}
            {place !== null && median !== null && <circle className="load-dot" cx={middle(place)} cy={axis.y(median)} r="3.5" />}
          </svg>
        )
      }}
    </Cursor>
  )
}

function Table({ rows, digits }: { rows: readonly TypicalDayRow[]; digits: number }) {
  const { t } = useTranslation('loads')
  return (
    <LoadData label={t('profile')}>
      <thead>
        <tr>
          <td />
          {rows.map(({ DayType }) => (
            <th scope="colgroup" colSpan={3} key={DayType}>
              {t(DayType)}
            </th>
          ))}
        </tr>
        <tr>
          <th scope="col">{t('clock')}</th>
          {rows.map(({ DayType }) => [
            <th scope="col" className="num" key={`${DayType} median`}>
              {t('medianHead')}
            </th>,
            <th scope="col" className="num" key={`${DayType} range`}>
              {t('bandHead')}
            </th>,
            <th scope="col" className="num" key={`${DayType} count`}>
              {t('countHead')}
            </th>,
          ])}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: quartersOfClock }, (_, quarter) => (
          <tr key={quarterClock(quarter)}>
            <th scope="row">{quarterClock(quarter)}</th>
            {rows.map(({ DayType, Quarters }) => {
              const { Median = null, P10 = null, P90 = null, Count = 0 } = Quarters[quarter] ?? {}
              return [
                <td className="num" key={`${DayType} median`}>
                  {kwText(Median, digits)}
                </td>,
                <td className="num" key={`${DayType} range`}>
                  {P10 === null ? '–' : `${kwText(P10, digits)}–${kwText(P90, digits)}`}
                </td>,
                <td className="num" key={`${DayType} count`}>
                  {Count}
                </td>,
              ]
            })}
          </tr>
        ))}
      </tbody>
    </LoadData>
  )
}
