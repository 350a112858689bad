import type { Gateway } from '@linewarden/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { CSSProperties } from 'react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { useWidth } from '../../ui/use-width.ts'
import { columnGroups, gridOf, useHiddenColumns, widthOf } from './columns.ts'
import { GatewayRow } from './gateway-row.tsx'
import { LineRow } from './line-row.tsx'
import type { Sort } from './line-sort.ts'
import { useRowSlots } from './row-slots.ts'
import { TableHead } from './table-head.tsx'
import type { View } from './view.tsx'
import './line-table.css'
import './cards.css'

interface GatewayHead {
  readonly kind: 'gateway'
  readonly gateway: Gateway
  readonly project: string
  readonly lines: number
  readonly detectors: number
}

interface Cards {
  readonly kind: 'cards'
  readonly lineRef: readonly LineRef[]
}

/** A row of the table is the line itself: a list of thousands needs no second one around it. */
type Row = GatewayHead | Cards | LineRef

/** A card narrower than this would cut its figures. */
const minCardWidth = 288
const cardGap = 8
/** More cards beside one another than a wall has room for. A row of other cards is another row, with a height of its own. */
const maxAcross = 64

/**
 * The live table: only the rows in sight are drawn, each redraws with its own line. Sorted by a value it is one list, otherwise it is
 * grouped by gateway. As cards, as many stand side by side as there is room for.
 */
export function LineTable({
  lines,
  isWhole,
  shownBy,
  view,
  sort,
  onSort,
  openLine,
  onOpen,
}: {
  lines: readonly LineRef[]
  /** Whether every project of the selection is in it. */
  isWhole: boolean
  /** What the person asked for: as long as it is the same, lines come, go and move by themselves. */
  shownBy: string
  view: View
  sort: Sort | null
  onSort: (key: string) => void
  openLine: number | null
  onOpen: (lineRef: LineRef) => void
}) {
  const { t } = useTranslation('monitor')
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const hidden = useHiddenColumns((state) => state.hidden)
  const groups = useMemo(() => columnGroups.filter(({ key }) => !hidden.includes(key)), [hidden])
  const grouped = sort === null
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const cards = view === 'cards'
  // 0: no cards.
  const across = cards ? Math.min(maxAcross - 1, Math.max(1, Math.floor((width - cardGap) / (minCardWidth + cardGap)))) : 0
  const rows = useMemo(() => (grouped ? rowsOf(lines, folded, across) : chunks(lines, across)), [lines, folded, grouped, across])
  const several = useMemo(() => lines.some(({ project }) => project.HouseID !== lines[0]?.project.HouseID), [lines])
  // One head over several projects: their own colours only where all of them have the same.
  const iec = useMemo(() => lines.every(({ project }) => project.Standard === 'IEC'), [lines])
  // The same function for the same rows: the virtualizer measures thousands of rows anew for another one.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]), [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: 8,
    getItemKey,
  })
  const visible = virtual.getVirtualItems()
  const slots = useRowSlots(
    visible.map(({ key }) => Number(key)),
    shownBy,
    scroller,
  )
  const fold = (id: number) =>
    setFolded((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id])))
  const style = { '--cols': gridOf(groups), '--least': `${widthOf(groups)}px`, '--across': across } as CSSProperties
  return (
    <>
      <div className={cards ? 'lines cards' : 'lines'} data-phases={iec ? 'iec' : undefined} ref={scroller} style={style}>
        <div className="sheet" role="table" aria-label={t('title')} aria-rowcount={rows.length}>
          {!cards && <TableHead groups={groups} sort={sort} onSort={onSort} />}
          <div role="rowgroup" className="rows" style={{ height: virtual.getTotalSize() }}>
            {visible.map(({ key, index, start }) => {
              const row = rows[index]
              if (!row) return null
              const lineRow = (lineRef: LineRef) => (
                <LineRow
                  // A card stays with its line; a row of the table is drawn into its slot.
                  key={cards ? lineRef.line.LineID : undefined}
                  lineRef={lineRef}
                  groups={groups}
                  named={!grouped}
                  chosen={openLine === lineRef.line.LineID}
                  view={view}
                  onOpen={onOpen}
                />
              )
              return (
                <div
                  key={cards ? key : slots.get(Number(key))}
                  data-index={index}
                  data-slot={slots.get(Number(key))}
                  // Cards are as high as their words; rows of the table are as high as the style sheet says, and are not measured:
                  // that would lay out the page within the draw.
                  ref={cards ? virtual.measureElement : undefined}
                  role="presentation"
                  className="slot"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {'line' in row ? (
                    lineRow(row)
                  ) : row.kind === 'gateway' ? (
                    <GatewayRow
                      gateway={row.gateway}
                      project={several ? row.project : null}
                      lines={row.lines}
                      detectors={row.detectors}
                      folded={folded.has(row.gateway.DeviceID)}
                      onFold={() => fold(row.gateway.DeviceID)}
                    />
                  ) : (
                    <div role="presentation" className="card-row">
                      {row.lineRef.map(lineRow)}
                    </div>
                  )}
                </div>
              )
            })}
          </div>
        </div>
      </div>
      <div className="pager">
        <span>{t(isWhole ? 'shown' : 'shownInPart', { count: lines.length })}</span>
        <span>{grouped ? t('byGateway') : t('byValue')}</span>
        <span className="grow" />
        <span className="legend">{t('legendMissing')}</span>
        <span className="legend">{t('legendNoPhase')}</span>
        <span className="legend">
          <i className="quality">{t('staleMark')}</i> {t('legendStale')}
        </span>
      </div>
    </>
  )
}

/** Numbers, because thousands of keys are made for every new list: lines count up, gateways count down. */
function keyOf(row: Row | undefined): number {
  if (row === undefined) return 0
  if ('line' in row) return row.line.LineID * maxAcross
  return row.kind === 'gateway' ? -row.gateway.DeviceID : (row.lineRef[0]?.line.LineID ?? 0) * maxAcross + row.lineRef.length
}

function heightOf(row: Row | undefined): number {
  if (row === undefined || 'line' in row) return 28
  return row.kind === 'gateway' ? 32 : 124
}

/** So many cards to a row; 0: the lines as they are. */
function chunks(lines: readonly LineRef[], across: number): readonly Row[] {
  if (across === 0) return lines
  return Array.from(
    { length: Math.ceil(lines.length / across) },
    (_, index): Row => ({
      kind: 'cards',
      lineRef: lines.slice(index * across, (index + 1) * across),
    }),
  )
}

function rowsOf(lines: readonly LineRef[], folded: ReadonlySet<number>, across: number): readonly Row[] {
  const byGateway = new Map<Gateway, LineRef[]>()
  for (const each of lines) {
    const list = byGateway.get(each.gateway)
    if (list) list.push(each)
    else byGateway.set(each.gateway, [each])
  }
  const rows: Row[] = []
  for (const [gateway, own] of byGateway) {
    const detectors = own.filter(({ family }) => family?.level === 'device').length
    rows.push({ kind: 'gateway', gateway, project: own[0]?.project.Name ?? '', lines: own.length - detectors, detectors })
    if (!folded.has(gateway.DeviceID)) rows.push(...chunks(own, across))
  }
  return rows
}
