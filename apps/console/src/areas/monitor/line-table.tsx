import type { Gateway, GatewayLink } from '@linewarden/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent } from 'react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clockTime, span } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { PlacedLine } from './equipment.ts'
import { LineRow } from './line-row.tsx'
import { live, useLiveVersion } from './live-store.ts'
import { useNarrow } from './use-narrow.ts'
import './line-table.css'

type Row =
  | { readonly kind: 'gateway'; readonly gateway: Gateway; readonly count: number }
  | { readonly kind: 'line'; readonly placed: PlacedLine }

/** The live table: only the rows in sight are drawn, each redraws with its own line. Under 760 px rows become cards. */
export function LineTable({
  lines,
  openLine,
  onOpen,
}: {
  lines: readonly PlacedLine[]
  openLine: number | null
  onOpen: (lineId: number) => void
}) {
  const { t } = useTranslation('monitor')
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => rowsOf(lines, folded), [lines, folded])
  const scroller = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'gateway' ? 32 : narrow ? 92 : 28),
    overscan: 12,
    getItemKey: (index) => {
      const row = rows[index]
      return row?.kind === 'line' ? `l${row.placed.line.LineID}` : `g${row?.gateway.DeviceID}`
    },
  })
  const fold = (id: number) =>
    setFolded((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id])))
  return (
    <>
      <div className={narrow ? 'lines cards' : 'lines'} ref={scroller}>
        <div className="sheet" role="table" aria-label={t('title')} aria-rowcount={rows.length}>
          {!narrow && <TableHead />}
          <div role="rowgroup" className="rows" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => {
              const row = rows[index]
              if (!row) return null
              return (
                <div
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  role="presentation"
                  className="slot"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {row.kind === 'gateway' ? (
                    <GatewayRow
                      gateway={row.gateway}
                      count={row.count}
                      folded={folded.has(row.gateway.DeviceID)}
                      onFold={() => fold(row.gateway.DeviceID)}
                    />
                  ) : (
                    <LineRow placed={row.placed} chosen={openLine === row.placed.line.LineID} narrow={narrow} onOpen={onOpen} />
                  )}
                </div>
              )
            })}
          </div>
        </div>
      </div>
      <div className="pager">{t('shown', { count: lines.length })}</div>
    </>
  )
}

function rowsOf(lines: readonly PlacedLine[], folded: ReadonlySet<number>): Row[] {
  const byGateway = new Map<Gateway, PlacedLine[]>()
  for (const each of lines) {
    const list = byGateway.get(each.gateway) ?? []
    byGateway.set(each.gateway, list)
    list.push(each)
  }
  return [...byGateway].flatMap(([gateway, own]): Row[] => [
    { kind: 'gateway', gateway, count: own.length },
    ...(folded.has(gateway.DeviceID) ? [] : own.map((placed): Row => ({ kind: 'line', placed }))),
  ])
}

function TableHead() {
  const { t } = useTranslation('monitor')
  const phases = (
    <>
      <span className="ph a">A</span>
      <span className="ph b">B</span>
      <span className="ph c">C</span>
    </>
  )
  return (
    <div className="thead" role="rowgroup">
      <div className="trow" role="row">
        <span role="columnheader" className="name">
          {t('line')}
        </span>
        <span role="columnheader">{t('position')}</span>
        <span role="columnheader" className="g3 edge">
          {t('current')} <i className="unit">A</i>
        </span>
        <span role="columnheader" className="g3 edge">
          {t('voltage')} <i className="unit">V</i>
        </span>
        <span role="columnheader" className="g4 edge">
          {t('power')} <i className="unit">kW</i>
        </span>
        <span role="columnheader" className="edge">
          {t('residual')} <i className="unit">mA</i>
        </span>
        <span role="columnheader" className="g4 edge">
          {t('temperature')} <i className="unit">°C</i>
        </span>
        <span role="columnheader" className="num edge">
          {t('powerFactor')}
        </span>
        <span role="columnheader" className="num edge">
          {t('age')}
        </span>
      </div>
      <div className="trow keys" role="presentation" aria-hidden="true">
        <span className="name" />
        <span />
        {phases}
        {phases}
        {phases}
        <span className="num">Σ</span>
        <span className="edge" />
        {phases}
        <span className="ph n">N</span>
        <span className="edge" />
        <span className="edge" />
      </div>
    </div>
  )
}

function GatewayRow({
  gateway,
  count,
  folded,
  onFold,
}: {
  gateway: Gateway
  count: number
  folded: boolean
  onFold: () => void
}) {
  const { t } = useTranslation('monitor')
  useLiveVersion()
  const link = live.link(gateway.DeviceID) ?? gateway.Link
  const toggle = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onFold()
  }
  return (
    <div className={link.Link === 'online' ? 'group' : 'group away'} role="row" aria-label={gateway.GatewayName}>
      <div role="cell">
        <span role="button" tabIndex={0} aria-expanded={!folded} onClick={onFold} onKeyDown={toggle}>
          <Icon name={folded ? 'right' : 'down'} />
          <b>{gateway.GatewayName}</b>
          <span className="mute">{gateway.Number}</span>
          <span className="mute">{t('lines', { count })}</span>
        </span>
        {link.Link === 'online' ? <span className="mute">{t('online')}</span> : <AwayNotice link={link} />}
      </div>
    </div>
  )
}

/** What an absent gateway means, and what must not be concluded from it. */
function AwayNotice({ link }: { link: GatewayLink }) {
  const { t } = useTranslation('monitor')
  const now = useNow()
  const words = { offline: t('gatewayOffline'), stale: t('gatewayStale'), never: t('gatewayNever'), online: '' }
  return (
    <span className="notice">
      <Mark kind="off" />
      <b>{words[link.Link]}</b>
      <span>
        {link.Since === null
          ? t('neverHint')
          : t('offlineSince', { time: clockTime(link.Since, now), duration: span(now - link.Since) })}
      </span>
    </span>
  )
}
