import type { CSSProperties } from 'react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { useWidth } from '../../ui/use-width.ts'
import { columnGroups, gridOf, useHiddenColumns, widthOf } from './columns.ts'
import { GatewayRow } from './gateway-row.tsx'
import { LineRow } from './line-row.tsx'
import type { Sort } from './line-sort.ts'
import { TableFoot } from './table-foot.tsx'
import { TableHead } from './table-head.tsx'
import { chunks, maxAcross, rowsOf } from './table-rows.ts'
import type { View } from './view.tsx'
import { useVisibleRows } from './visible-rows.ts'
import './line-table.css'
import './cards.css'

/** A card narrower than this would cut its figures. */
const minCardWidth = 288
const cardGap = 8
/** How many cards stand side by side in this width. */
const acrossOf = (width: number): number =>
  Math.min(maxAcross - 1, Math.max(1, Math.floor((width - cardGap) / (minCardWidth + cardGap))))

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
  const hidden = useHiddenColumns((state) => state.hidden)
  const groups = useMemo(() => columnGroups.filter(({ key }) => !hidden.includes(key)), [hidden])
  const grouped = sort === null
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const cards = view === 'cards'
  // 0: no cards.
  const across = cards ? acrossOf(width) : 0
  const [folded, fold] = useFolded()
  const rows = useMemo(() => (grouped ? rowsOf(lines, folded, across) : chunks(lines, across)), [lines, folded, grouped, across])
  const several = useMemo(() => lines.some(({ project }) => project.HouseID !== lines[0]?.project.HouseID), [lines])
  // One head over several projects: their own colours only where all of them have the same.
  const iec = useMemo(() => lines.every(({ project }) => project.Standard === 'IEC'), [lines])
  const { visible, totalSize, measure } = useVisibleRows(rows, shownBy, scroller)
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
  const style = { '--cols': gridOf(groups), '--least': `${widthOf(groups)}px`, '--across': across } as CSSProperties
  return (
    <>
      <div className={cards ? 'lines cards' : 'lines'} data-phases={iec ? 'iec' : undefined} ref={scroller} style={style}>
        <div className="sheet" role="table" aria-label={t('title')} aria-rowcount={rows.length}>
          {!cards && <TableHead groups={groups} sort={sort} onSort={onSort} />}
          <div role="rowgroup" className="rows" style={{ height: totalSize }}>
            {visible.map(({ row, key, index, start, slot }) => (
              <div
                key={cards ? key : slot}
                data-index={index}
                data-slot={slot}
                // Cards are as high as their words; rows of the table are as high as the style sheet says, and are not measured:
                // that would lay out the page within the draw.
                ref={cards ? measure : undefined}
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
                    behind={row.behind}
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
            ))}
          </div>
        </div>
      </div>
      <TableFoot count={lines.length} isWhole={isWhole} grouped={grouped} />
    </>
  )
}

/** The gateways whose lines are folded away, and how one is folded or unfolded. */
function useFolded(): [ReadonlySet<number>, (id: number) => void] {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const fold = (id: number) =>
    setFolded((before) => (before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id])))
  return [folded, fold]
}
