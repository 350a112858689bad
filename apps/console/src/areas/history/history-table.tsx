import type { EventRecord, ZoneClock } from '@linewarden/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { said } from '../../texts/i18n.ts'
import { figure } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import type { Drawn, Panel } from './panels.ts'
import { nameOf } from './subject.ts'
import type { HistoryRow } from './table-rows.ts'
import { rowsOf } from './table-rows.ts'
import './history-table.css'

/** The picture in figures, newest first; only the rows in sight are drawn. */
export function HistoryTable(props: {
  panels: readonly Panel[]
  events: readonly EventRecord[]
  zone: ZoneClock
  zoneName: string
}) {
  const { zone, zoneName } = props
  const { t } = useTranslation('history')
  // The picture comes first; the table follows when there is time.
  const panels = useDeferredValue(props.panels)
  const events = useDeferredValue(props.events)
  const drawn = useMemo(() => panels.flatMap((panel) => panel.drawn), [panels])
  const rows = useMemo(() => rowsOf(drawn, events), [drawn, events])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 10,
  })
  const columns = { gridTemplateColumns: `176px repeat(${drawn.length}, minmax(104px, 1fr)) minmax(160px, 2fr) 64px` }
  const gaps = drawn.reduce((sum, { series }) => sum + series.Gaps.length, 0)
  return (
    <section className="panel history-table" aria-label={t('table')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <div className="scroller" ref={scroller} tabIndex={0} role="region" aria-label={t('table')}>
        <div className="sheet" role="table" aria-label={t('table')} aria-rowcount={rows.length + 1}>
          <div role="rowgroup" className="thead">
            <div role="row" className="hrow" style={columns}>
              <span role="columnheader">{t('time')}</span>
              {drawn.map(({ chosen, series, colour }) => (
                <span role="columnheader" className="num" key={`${series.LineID}:${series.Point}`} title={nameOf(chosen)}>
                  <i className="key" style={{ background: `var(${colour})` }} />
                  {nameOf(chosen)}
                  <span className="unit">{chosen.point.unit}</span>
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
                    <Cells row={row} drawn={drawn} zone={zone} />
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

function Cells({ row, drawn, zone }: { row: HistoryRow; drawn: readonly Drawn[]; zone: ZoneClock }) {
  const { t } = useTranslation('history')
  const marks = { good: '', late: t('lateMark'), clock: t('clockMark'), gap: t('gapMark') }
  return (
    <>
      <span role="cell">{zone.text(row.at)}</span>
      {drawn.map(({ chosen: { point }, series }, column) => {
        const place = row.places[column] ?? null
        const band = place !== null && series.Min[place] != null
        return (
          <span
            role="cell"
            className="num"
            key={`${series.LineID}:${series.Point}`}
            title={
              band ? `${figure(series.Min[place], point.precision)} – ${figure(series.Max[place], point.precision)}` : undefined
            }
          >
            {/* Nothing is said of this time; a dash says that something is missing. */}
            {place !== null && figure(series.Value[place], point.precision)}
          </span>
        )
      })}
      <span role="cell" className="happened">
        {row.events.slice(0, 2).map((event) => (
          <span key={event.EventID}>
            <Mark kind={event.Key.startsWith('gateway.') ? 'off' : event.Kind === 'journal' ? 'warning' : event.Kind} size={12} />
            {said(event.Label)}
          </span>
        ))}
        {row.events.length > 2 && <span className="mute">+{row.events.length - 2}</span>}
      </span>
      <span role="cell">{row.quality !== 'good' && <i className="quality">{marks[row.quality]}</i>}</span>
    </>
  )
}
