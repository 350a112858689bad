import type { HeatRow, LoadAbout } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { grouped } from './figures.ts'
import { Cursor } from './load-cursor.tsx'
import { heatHow, heatShade, heatShades, heatStep, hourOfMax, kwDigits, kwText, stepDigits } from './load-figures.ts'
import { HeatTable } from './load-heat-table.tsx'
import { LoadPanel, NoLoad, Wide } from './load-panel.tsx'
import type { LoadAsked } from './use-load.ts'
import { useLoad } from './use-load.ts'

/** When how much is drawn: the mean of each hour of each day. */
export function HeatPanel({ asked }: { asked: LoadAsked }) {
  const { t } = useTranslation('loads')
  const { query, rows: all, about } = useLoad(asked, 'heat')
  // Before anything was known nothing is missing.
  const begun = about?.Since == null ? null : dateText(civilZone(about.Zone).dayAt(about.Since))
  const rows = all?.filter(({ Day }) => begun === null || Day >= begun)
  const most = Math.max(0, ...(rows ?? []).flatMap(({ KW }) => KW.map((kw) => kw ?? 0)))
  const isKnown = rows?.some(({ KW }) => KW.some((kw) => kw !== null))
  const step = heatStep(most)
  return (
    <LoadPanel title={t('heat')} hint={t('heatHint')} query={query}>
      {rows && !isKnown && <NoLoad />}
      {rows && isKnown && about && (
        <>
          <Keys rows={rows} step={step} hasPeak={about.MaxAt !== null} />
          <Wide height={heightOf(rows.length)}>{(width) => <Picture width={width} rows={rows} about={about} step={step} />}</Wide>
          <HeatTable rows={rows} digits={kwDigits(about.Max ?? most)} />
        </>
      )}
    </LoadPanel>
  )
}

const uncertain: ReadonlySet<string> = new Set(['spread', 'estimated', 'entered', 'part'])

/** Only what is in the picture. */
function Keys({ rows, step, hasPeak }: { rows: readonly HeatRow[]; step: number; hasPeak: boolean }) {
  const { t } = useTranslation('loads')
  const digits = stepDigits(step)
  const hows = new Set(rows.flatMap((row) => row.How.map((_, hour) => heatHow(row, hour))))
  const words = Array.from({ length: heatShades }, (_, shade) => {
    const [from, to] = [grouped(shade * step, digits), grouped((shade + 1) * step, digits)]
    if (shade === 0) return t('below', { kw: to })
    return shade === heatShades - 1 ? t('above', { kw: from }) : t('between', { from, to })
  })
  return (
    <p className="load-keys" aria-hidden="true">
      {words.map((word, shade) => (
        <span className={`load-key shade-${shade}`} key={word}>
          {word}
        </span>
      ))}
      {[...hows].some((how) => uncertain.has(how)) && <span className="load-key uncertain">{t('notMeasured')}</span>}
      {hows.has('missing') && <span className="load-key gap">{t('gap')}</span>}
      {hasPeak && <span className="load-key peak">{t('peak')}</span>}
    </p>
  )
}

const side = { top: 4, right: 12, bottom: 24, left: 52 } as const
const hoursOfDay = 24

const maxHeight = 740

/** So high is a day: a month fits on a screen, and a year can be looked through. */
function rowHeight(days: number): number {
  if (days === 1) return 40
  return Math.max(2, Math.min(13, Math.floor(maxHeight / days)))
}
const heightOf = (days: number): number => side.top + days * rowHeight(days) + side.bottom

function Picture(props: { width: number; rows: readonly HeatRow[]; about: LoadAbout; step: number }) {
  const { width, rows, about, step } = props
  const { t } = useTranslation('loads')
  const hatch = useId()
  const digits = kwDigits(about.Max ?? step * heatShades)
  const high = rowHeight(rows.length)
  const height = heightOf(rows.length)
  const inner = Math.max(1, width - side.left - side.right)
  const x = (hour: number) => Math.round(side.left + (inner * hour) / hoursOfDay)
  const y = (row: number) => side.top + row * high
  const gap = high >= 10 ? 1 : 0
  const cell = (row: number, hour: number) => `M${x(hour)} ${y(row)}H${x(hour + 1) - gap}V${y(row + 1) - gap}H${x(hour)}Z`
  const paths = pathsOf(rows, step, cell)
  const peak = hourOfMax(about)
  const peakRow = peak ? rows.findIndex(({ Day }) => Day === peak.day) : -1
  const read = (place: number): string => {
    const [row, hour] = [rows[Math.floor(place / hoursOfDay)], place % hoursOfDay]
    if (!row) return ''
    const kw = row.KW[hour] ?? null
    const words = { day: row.Day, hour: String(hour).padStart(2, '0'), how: t(`hows.${heatHow(row, hour)}`) }
    return kw === null ? t('heatNone', words) : t('heatAt', { ...words, kw: kwText(kw, digits) })
  }
  const placeAt = (atX: number, atY: number): number | null => {
    const [hour, row] = [Math.floor(((atX - side.left) / inner) * hoursOfDay), Math.floor((atY - side.top) / high)]
    return hour >= 0 && hour < hoursOfDay && row >= 0 && row < rows.length ? row * hoursOfDay + hour : null
  }
  const box = (row: number, hour: number) => ({ x: x(hour) - 0.5, y: y(row) - 0.5, width: x(hour + 1) - x(hour), height: high })
  return (
    <Cursor label={t('heat')} count={rows.length * hoursOfDay} row={hoursOfDay} read={read} placeAt={placeAt}>
      {(place) => (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <defs>
            <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path className="load-hatch" d="M0 0V5" />
            </pattern>
          </defs>
          {paths.shades.map((d, shade) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a shade is its place
            <path className={`load-shade shade-${shade}`} key={shade} d={d} />
          ))}
          <path className="energy-gap-ground" d={paths.gaps} />
          <path fill={`url(#${hatch})`} d={paths.gaps + paths.uncertain} />
          <Days rows={rows} y={y} high={high} />
          {hoursShown.map((hour) => (
            <text className="energy-axis" key={hour} x={x(hour)} y={height - 6} textAnchor="middle">
              {String(hour).padStart(2, '0')}
            </text>
          ))}
          {peak && peakRow >= 0 && <rect className="load-peak" {...box(peakRow, peak.hour)} />}
          {place !== null && <rect className="load-here" {...box(Math.floor(place / hoursOfDay), place % hoursOfDay)} />}
        </svg>
      )}
    </Cursor>
  )
}

const hoursShown = [0, 3, 6, 9, 12, 15, 18, 21, 24]

/** One path of each shade, of what is missing, and of what was not measured: a year has thousands of hours. */
function pathsOf(rows: readonly HeatRow[], step: number, cell: (row: number, hour: number) => string) {
  const shades = Array.from({ length: heatShades }, () => '')
  let [gaps, notMeasured] = ['', '']
  for (const [place, row] of rows.entries())
    for (const [hour, kw] of row.KW.entries()) {
      const how = heatHow(row, hour)
      const d = cell(place, hour)
      const shade = kw === null ? null : heatShade(kw, step)
      if (shade !== null) shades[shade] = (shades[shade] ?? '') + d
      else if (how === 'missing') gaps += d
      if (kw !== null && uncertain.has(how)) notMeasured += d
    }
  return { shades, gaps, uncertain: notMeasured }
}

const daysBetweenLabels = 5

/** Days of the month, or months, and which are no workdays. */
function Days({ rows, y, high }: { rows: readonly HeatRow[]; y: (row: number) => number; high: number }) {
  const isLong = high < 10
  const labelOf = ({ Day }: HeatRow): string | null => {
    if (isLong) return Day.endsWith('-01') ? Day.slice(0, 7) : null
    const ofMonth = Number(Day.slice(8))
    return rows.length === 1 || ofMonth === 1 || ofMonth % daysBetweenLabels === 0 ? Day.slice(5) : null
  }
  return (
    <>
      {rows.map((row, place) => {
        const label = labelOf(row)
        return (
          label !== null && (
            <text
              className="energy-axis"
              key={row.Day}
              x={side.left - 8}
              y={y(place) + (isLong ? 8 : high / 2 + 4)}
              textAnchor="end"
            >
              {label}
            </text>
          )
        )
      })}
      <path
        className="load-restdays"
        d={rows
          .map(({ DayType }, place) => (DayType === 'workday' ? '' : `M${side.left - 4} ${y(place)}V${y(place + 1)}`))
          .join('')}
      />
    </>
  )
}
