import type { EventRecord, ZoneClock } from '@linewarden/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { drawnKind, Mark } from '../../ui/mark.tsx'
import { isolated, Place } from '../../ui/place.tsx'
import { before } from './nearest.ts'
import type { Drawn, Panel } from './panels.ts'
import { namesOf } from './subject.ts'
import type { HistoryRow } from './table-rows.ts'
import { rowsOf } from './table-rows.ts'
import './history-table.css'

/** The picture in figures, newest first; only the rows in sight are drawn. */
export function HistoryTable(props: {
  panels: readonly Panel[]
  events: readonly EventRecord[]
  zone: ZoneClock
  zoneName: string
  /** How long ago the period before was. */
  previousMs: number
}) {
  const { zone, zoneName } = props
  const { t } = useTranslation(['history', 'app'])
  // The picture comes first; the table follows when there is time.
  const panels = useDeferredValue(props.panels)
  const events = useDeferredValue(props.events)
  const previousMs = useDeferredValue(props.previousMs)
  const drawn = useMemo(() => panels.flatMap((panel) => panel.drawn), [panels])
  const rows = useMemo(() => rowsOf(drawn, events, previousMs), [drawn, events, previousMs])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 10,
  })
  const compared = drawn.some(({ previous }) => previous !== null)
  const columns = {
    gridTemplateColumns: `176px repeat(${drawn.length}, minmax(${compared ? 208 : 104}px, 1fr)) minmax(160px, 2fr) 64px`,
  }
  const gaps = drawn.reduce((sum, { series }) => sum + series.Gaps.length, 0)
  return (
    <section className="panel history-table" aria-label={t('table')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <div className="scroller" ref={scroller} tabIndex={0} role="region" aria-label={t('table')}>
        <div className="sheet" role="table" aria-label={t('table')} aria-rowcount={rows.length + 1}>
          <div role="rowgroup" className="thead">
            <div role="row" className="hrow" style={columns}>
              <span role="columnheader">{t('app:time')}</span>
              {drawn.map(({ chosen, series, previous, colour }) => (
                <span
                  role="columnheader"
                  className={previous ? 'num compared' : 'num'}
                  key={`${series.LineID}:${series.Point}`}
                  title={isolated(namesOf(chosen), ' ')}
                >
                  <span>
                    <i className="key" style={{ background: `var(${colour})` }} />
                    <Place names={namesOf(chosen)} between=" " />
                    <span className="unit">{chosen.point.unit}</span>
                  </span>
                  {previous && <span className="mute">{t('previous')}</span>}
                </span>
              ))}
              <span role="columnheader">{t('event')}</span>
              <span role="columnheader">{t('quality')}</span>
            </div>
          </div>
          <div role="rowgroup" className="rows" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const row = rows[index]
              return (
                row && (
                  <div
                    role="row"
                    className="hrow"
                    key={row.at}
                    aria-rowindex={index + 2}
                    style={{ ...columns, transform: `translateY(${start}px)` }}
                  >
                    <Cells row={row} drawn={drawn} zone={zone} previousMs={previousMs} />
                  </div>
                )
              )
            })}
          </div>
        </div>
      </div>
      <div className="pager">
        <span>
          {t('rows', { count: rows.length })} · {t('gaps', { count: gaps })} · {t('events', { count: events.length })}
        </span>
        <span>{t('zone', { zone: zoneName })}</span>
      </div>
    </section>
  )
}

function Cells(props: { row: HistoryRow; drawn: readonly Drawn[]; zone: ZoneClock; previousMs: number }) {
  const { row, drawn, zone, previousMs } = props
  const { t } = useTranslation('history')
  const marks = { good: '', late: t('lateMark'), clock: t('clockMark'), gap: t('gapMark') }
  return (
    <>
      <span role="cell">{zone.text(row.at)}</span>
      {drawn.map((each, column) => {
        const {
          chosen: { point },
          series,
          previous,
        } = each
        const place = row.places[column] ?? null
        const band = place !== null && series.Min[place] != null
        return (
          <span
            role="cell"
            className={previous ? 'num compared' : 'num'}
            key={`${series.LineID}:${series.Point}`}
            title={
              band ? `${figure(series.Min[place], point.precision)} – ${figure(series.Max[place], point.precision)}` : undefined
            }
          >
            {/* Nothing is said of this time; a dash says that something is missing. */}
            <span>{place !== null && figure(series.Value[place], point.precision)}</span>
            {previous && (
              <span className="mute">
                <span className="hidden-visually">{t('previous')} </span>
                {figure(before(each, row.at, previousMs), point.precision)}
              </span>
            )}
          </span>
        )
      })}
      <span role="cell" className="happened">
        {row.events.slice(0, 2).map((event) => (
          <span key={event.EventID}>
            <Mark kind={event.Key.startsWith('gateway.') ? 'off' : drawnKind(event.Kind)} size={12} />
            {localised(event.Label)}
          </span>
        ))}
        {row.events.length > 2 && <span className="mute">+{row.events.length - 2}</span>}
      </span>
      <span role="cell">{row.quality !== 'good' && <i className="quality">{marks[row.quality]}</i>}</span>
    </>
  )
}
