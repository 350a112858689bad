import type { EnergyBalance } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '../../ui/fields.tsx'
import { BalanceRowCells } from './balance-row.tsx'
import type { BalanceFilter } from './balance-rows.ts'
import { filters, openAtFirst, passes, rowsOf } from './balance-rows.ts'

const orders = ['worst', 'byName'] as const
const words = { all: 'all', beyond: 'beyond', unknown: 'unknownOnly' } as const satisfies Record<BalanceFilter, string>
const keys = { error: 'keyError', beyond: 'keyBeyond', within: 'keyWithin', above: 'keyAbove' } as const

/** The tree of feeds with what is left at each, the worst first. */
export function BalanceTable({
  balance,
  houseId,
  first: firstDay,
  onOpen,
}: {
  balance: EnergyBalance
  houseId: number
  /** Of the period. */
  first: number
  onOpen: (lineId: number) => void
}) {
  const { t } = useTranslation('energyBalance')
  const { Lines, Zone, Until } = balance
  const [filter, setFilter] = useState<BalanceFilter>('all')
  const [order, setOrder] = useState<(typeof orders)[number]>('worst')
  // What somebody opened or closed, beside what is open by itself.
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set())
  const first = useMemo(() => openAtFirst(balance), [balance])
  const open = useMemo(() => turnedIn(first, turned), [first, turned])
  const turn = (id: number) => setTurned((before) => turnedIn(before, [id]))
  const rows = rowsOf(Lines, { filter, order: order === 'worst' ? 'worst' : 'name', open })
  const largest = Math.max(0, ...Lines.map(({ Wh }) => Wh ?? 0))
  const days = civilZone(Zone).dayAt(Until - 1) - firstDay + 1
  return (
    <section className="balance-list" aria-label={t('list')}>
      <div className="list-bar">
        <Segments
          label={t('order')}
          value={order}
          options={orders.map((each) => ({ value: each, label: t(each) }))}
          onChange={setOrder}
        />
        {filters.map((each) => {
          const count = Lines.filter((line) => passes(each, line)).length
          return (
            <button type="button" className="chip" key={each} aria-pressed={filter === each} onClick={() => setFilter(each)}>
              {t(words[each], { count })}
            </button>
          )
        })}
        <span className="grow" />
        <Legend />
      </div>
      {rows.length === 0 ? (
        <p className="balance-none">{t(filter === 'unknown' ? 'noneUnknown' : 'noneBeyond')}</p>
      ) : (
        <table className="energy-table balance-table">
          <caption className="hidden-visually">{t('list')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('line')}</th>
              <th scope="col" className="num">
                {t('used')}
              </th>
              <th scope="col" className="num">
                {t('parts')}
              </th>
              <th scope="col" className="num">
                {t('restKwh')}
              </th>
              <th scope="col" className="num">
                {t('restShare')}
              </th>
              <th scope="col" className="num">
                {t('error')}
              </th>
              <th scope="col">
                <span className="hidden-visually">{t('gauge')}</span>
                <span className="gauge-scale" aria-hidden="true">
                  <span>−30 %</span>
                  <span>0</span>
                  <span>+30 %</span>
                </span>
              </th>
              <th scope="col">{t('verdict')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <BalanceRowCells
                key={keyOf(row)}
                row={row}
                isOpen={row.kind === 'feeder' && open.has(row.line.LineID)}
                {...{ largest, days, houseId, onOpen, onTurn: turn }}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Those of a set and not of the other, and the other way round. */
function turnedIn(set: ReadonlySet<number>, ids: Iterable<number>): ReadonlySet<number> {
  const made = new Set(set)
  for (const id of ids) if (!made.delete(id)) made.add(id)
  return made
}

function keyOf(row: ReturnType<typeof rowsOf>[number]): string {
  if (row.kind === 'feeder') return `${row.line.LineID}`
  return row.kind === 'line' ? `${row.feeder.LineID} ${row.child.LineID}` : `${row.feeder.LineID} more`
}

function Legend() {
  const { t } = useTranslation('energyBalance')
  return (
    <span className="balance-legend" aria-hidden="true">
      {(['error', 'beyond', 'within', 'above'] as const).map((each) => (
        <span key={each} className={`balance-key ${each}`}>
          {t(keys[each])}
        </span>
      ))}
    </span>
  )
}
