import type { EventRecord } from '@linewarden/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { chosenOf } from '../../../ui/tri-check.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { useSteady } from '../../../ui/use-steady.ts'
import type { AlarmAddress } from './address.ts'
import { AlarmCard } from './alarm-card.tsx'
import { AlarmRow } from './alarm-row.tsx'
import { GroupRow, RestRow } from './group-row.tsx'
import type { ListRow } from './rows.ts'
import { eventsIn } from './rows.ts'
import { TableHead } from './table-head.tsx'

/** So many rows before the end the next page is asked for. */
const prefetch = 30

type Chosen = ReadonlyMap<string, EventRecord>

/** The rows in sight; on a phone cards. The head stays while rows are on their way, and where there are none. */
export function AlarmTable({
  address,
  change,
  rows,
  onUnfold,
  waiting,
  busy,
  loading,
  chosen,
  onChosen,
  onNeedMore,
  instead,
}: {
  address: AlarmAddress
  change: (to: Partial<AlarmAddress>) => void
  rows: readonly ListRow[]
  onUnfold: (id: string) => void
  /** The rows are those of the former question. */
  waiting: boolean
  busy: boolean
  loading: boolean
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
  /** Null: there is no more, or it is on its way. */
  onNeedMore: (() => void) | null
  /** What stands where the rows would be. */
  instead: ReactNode
}) {
  const { t } = useTranslation('alarmList')
  const phone = usePhone()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => (phone ? 132 : 44),
    overscan: 12,
  })
  const drawn = virtual.getVirtualItems()
  const events = eventsIn(rows)
  const last = drawn.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - prefetch) onNeedMore?.()
  }, [rows.length, last, onNeedMore])
  const choose = useSteady((event: EventRecord) => {
    const after = new Map(chosen)
    if (!after.delete(event.EventID)) after.set(event.EventID, event)
    onChosen(after)
  })
  const unfold = useSteady(onUnfold)
  const open = useSteady((event: EventRecord) => change({ event: event.EventID }))
  const Row = phone ? AlarmCard : AlarmRow
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <div className={waiting ? 'alarm-scroll waiting' : 'alarm-scroll'} ref={scroller} tabIndex={0} aria-busy={busy}>
      <div role="table" aria-label={t('title')} aria-rowcount={rows.length + 1} className="alarm-table">
        <TableHead
          sort={address.sort}
          onSort={(sort) => change({ sort })}
          ticked={chosenOf(
            events.map(({ EventID }) => EventID),
            new Set(chosen.keys()),
          )}
          onTick={(all) => onChosen(all ? new Map(events.map((event) => [event.EventID, event])) : new Map())}
          empty={events.length === 0}
        />
        {rows.length > 0 && (
          <div role="rowgroup" className="rows" style={{ height: virtual.getTotalSize() }}>
            {drawn.map(({ index, key, start }) => {
              const row = rows[index]
              if (!row) return null
              const at = { index, start, ref: virtual.measureElement }
              if (row.kind === 'rest') return <RestRow key={key} {...at} count={row.count} />
              if (row.kind === 'group') return <GroupRow key={key} {...at} row={row} onUnfold={unfold} />
              return (
                <Row
                  key={key}
                  {...at}
                  row={row}
                  chosen={chosen.has(row.event.EventID)}
                  open={address.event === row.event.EventID}
                  onChoose={choose}
                  onOpen={open}
                  onUnfold={unfold}
                />
              )
            })}
          </div>
        )}
      </div>
      {loading && <Skeleton />}
      {instead}
    </div>
  )
}

/** Greyed rows while the first ones are on their way. */
function Skeleton() {
  const { t } = useTranslation()
  return (
    <div className="skeleton" role="status" aria-label={t('loading')}>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <i key={index} />
      ))}
    </div>
  )
}
