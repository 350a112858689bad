import type { Gateway } from '@linewarden/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { CSSProperties } from 'react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWidth } from '../../ui/use-width.ts'
import { columnGroups, gridOf, useHiddenColumns, widthOf } from './columns.ts'
import type { PlacedLine } from './equipment.ts'
import { GatewayRow } from './gateway-row.tsx'
import { LineRow } from './line-row.tsx'
import type { Sort } from './line-sort.ts'
import { TableHead } from './table-head.tsx'
import type { View } from './view.tsx'
import './line-table.css'
import './cards.css'

type Row =
  | { readonly kind: 'gateway'; readonly gateway: Gateway; readonly project: string; readonly count: number }
  | { readonly kind: 'lines'; readonly placed: readonly PlacedLine[] }

/** A card narrower than this would cut its figures. */
const leastCard = 288
const cardGap = 8
/** More cards beside one another than a wall has room for. A row of other cards is another row, with a height of its own. */
const mostAcross = 64

/**
 * The live table: only the rows in sight are drawn, each redraws with its own line. Sorted by a value it is one list, otherwise it is
 * grouped by gateway. As cards, as many stand side by side as there is room for.
 */
export function LineTable({
  lines,
  view,
  sort,
  onSort,
  openLine,
  onOpen,
}: {
  lines: readonly PlacedLine[]
  view: View
  sort: Sort | null
  onSort: (key: string) => void
  openLine: number | null
  onOpen: (placed: PlacedLine) => void
}) {
  const { t } = useTranslation('monitor')
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const hidden = useHiddenColumns((state) => state.hidden)
  const groups = useMemo(() => columnGroups.filter(({ key }) => !hidden.includes(key)), [hidden])
  const grouped = sort === null
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const cards = view === 'cards'
  const across = cards ? Math.min(mostAcross - 1, Math.max(1, Math.floor((width - cardGap) / (leastCard + cardGap)))) : 1
  const rows = useMemo(() => (grouped ? rowsOf(lines, folded, across) : chunks(lines, across)), [lines, folded, grouped, across])
  const several = useMemo(() => new Set(lines.map(({ project }) => project.HouseID)).size > 1, [lines])
  // One head over several projects: their own colours only where all of them have the same.
  const iec = useMemo(() => lines.every(({ project }) => project.Standard === 'IEC'), [lines])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'gateway' ? 32 : cards ? 124 : 28),
    overscan: 8,
    getItemKey: (index) => keyOf(rows[index]),
  })
  const fold = (id: number) =>
    setFolded((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id])))
  const style = { '--cols': gridOf(groups), '--least': `${widthOf(groups)}px`, '--across': across } as CSSProperties
  return (
    <>
      <div className={cards ? 'lines cards' : 'lines'} data-phases={iec ? 'iec' : undefined} ref={scroller} style={style}>
        <div className="sheet" role="table" aria-label={t('title')} aria-rowcount={rows.length}>
          {!cards && <TableHead groups={groups} sort={sort} onSort={onSort} />}
          <div role="rowgroup" className="rows" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => {
              const row = rows[index]
              if (!row) return null
              return (
                <div
                  key={key}
                  data-index={index}
                  // Cards are as high as their words; rows of the table are as high as the style sheet says, and are not measured:
                  // that would lay out the page within the draw.
                  ref={cards ? virtual.measureElement : undefined}
                  role="presentation"
                  className="slot"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {row.kind === 'gateway' ? (
                    <GatewayRow
                      gateway={row.gateway}
                      project={several ? row.project : null}
                      count={row.count}
                      folded={folded.has(row.gateway.DeviceID)}
                      onFold={() => fold(row.gateway.DeviceID)}
                    />
                  ) : (
                    <div role="presentation" className={cards ? 'card-row' : undefined}>
                      {row.placed.map((placed) => (
                        <LineRow
                          key={placed.line.LineID}
                          placed={placed}
                          groups={groups}
                          named={!grouped}
                          chosen={openLine === placed.line.LineID}
                          view={view}
                          onOpen={onOpen}
                        />
                      ))}
                    </div>
                  )}
                </div>
              )
            })}
          </div>
        </div>
      </div>
      <div className="pager">
        <span>{t('shown', { count: lines.length })}</span>
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
const keyOf = (row: Row | undefined): number =>
  row?.kind === 'lines' ? (row.placed[0]?.line.LineID ?? 0) * mostAcross + row.placed.length : row ? -row.gateway.DeviceID : 0

/** So many lines to a row. */
function chunks(lines: readonly PlacedLine[], across: number): Row[] {
  if (across === 1) return lines.map((placed): Row => ({ kind: 'lines', placed: [placed] }))
  return Array.from(
    { length: Math.ceil(lines.length / across) },
    (_, index): Row => ({
      kind: 'lines',
      placed: lines.slice(index * across, (index + 1) * across),
    }),
  )
}

function rowsOf(lines: readonly PlacedLine[], folded: ReadonlySet<number>, across: number): Row[] {
  const byGateway = new Map<Gateway, PlacedLine[]>()
  for (const each of lines) {
    const list = byGateway.get(each.gateway) ?? []
    byGateway.set(each.gateway, list)
    list.push(each)
  }
  return [...byGateway].flatMap(([gateway, own]): Row[] => [
    { kind: 'gateway', gateway, project: own[0]?.project.Name ?? '', count: own.length },
    ...(folded.has(gateway.DeviceID) ? [] : chunks(own, across)),
  ])
}
