import type { PermitCondition } from '@linewarden/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { isCalled } from '../../plant/equipment.ts'
import { SearchField } from '../../ui/fields.tsx'
import type { Readiness } from './group-operation-line.tsx'
import { GroupOperationLine } from './group-operation-line.tsx'

/** From here on nobody finds a line by reading down the list. */
const manyLines = 12

/** The lines of a group under their cabinets, permitted ones first, each with what stands against the operation; the person ticks those that are meant. */
export function GroupOperationLines({
  lines,
  unable,
  ticked,
  onTick,
  readinessOf,
  blockReasons,
}: {
  lines: readonly LineRef[]
  /** So many others on the page know no such operation. */
  unable: number
  ticked: ReadonlySet<number>
  onTick: (ticked: ReadonlySet<number>) => void
  readinessOf: (lineRef: LineRef) => Readiness
  blockReasons: ReadonlyMap<number, readonly PermitCondition[]>
}) {
  const { t } = useTranslation('operations')
  const [search, setSearch] = useState('')
  const shown = lines.filter(isCalled(search))
  const blocked = lines.filter((lineRef) => readinessOf(lineRef) === 'blocked').length
  const chosen = lines.filter(({ line }) => ticked.has(line.LineID)).length
  // By what the server said first: no row moves from under the finger when a condition comes or goes later.
  const first = useRef(new Map<number, Readiness>())
  for (const lineRef of lines) {
    const readiness = readinessOf(lineRef)
    if (readiness !== 'unknown' && !first.current.has(lineRef.line.LineID)) first.current.set(lineRef.line.LineID, readiness)
  }
  const rank = ({ line }: LineRef) => (first.current.get(line.LineID) === 'blocked' ? 1 : 0)
  const permittedFirst = (a: LineRef, b: LineRef) => rank(a) - rank(b)
  const toggle = (id: number) => {
    const after = new Set(ticked)
    if (!after.delete(id)) after.add(id)
    onTick(after)
  }
  return (
    <fieldset className="group-choice">
      <legend>{t('groupLines')}</legend>
      <div className="bar">
        <span role="status">
          {t('chosenOf', { chosen, count: lines.length })}
          {blocked > 0 && <span className="mute"> · {t('blockedCount', { count: blocked })}</span>}
          {unable > 0 && <span className="mute"> · {t('unableCount', { count: unable })}</span>}
        </span>
        <span className="grow" />
        {lines.length > manyLines && <SearchField label={t('lineName')} value={search} onChange={setSearch} />}
        <button type="button" className="btn small" disabled={chosen === 0} onClick={() => onTick(new Set())}>
          {t('untick')}
        </button>
      </div>
      <div className="group-lines">
        {[...Map.groupBy(shown, ({ gateway }) => gateway)].map(([gateway, own]) => {
          const ready = own.filter((lineRef) => readinessOf(lineRef) === 'ready')
          return (
            <section key={gateway.DeviceID} aria-label={gateway.GatewayName}>
              <h3>
                <span>{gateway.GatewayName}</span>
                <small className="mute">{t('cabinetLines', { count: own.length })}</small>
                <span className="grow" />
                <button
                  type="button"
                  className="btn small"
                  disabled={ready.length === 0}
                  onClick={() => onTick(new Set([...ticked, ...ready.map(({ line }) => line.LineID)]))}
                >
                  {t('tickReady', { count: ready.length })}
                </button>
              </h3>
              <ul>
                {own.toSorted(permittedFirst).map((lineRef) => (
                  <GroupOperationLine
                    key={lineRef.line.LineID}
                    lineRef={lineRef}
                    ticked={ticked.has(lineRef.line.LineID)}
                    onToggle={() => toggle(lineRef.line.LineID)}
                    readiness={readinessOf(lineRef)}
                    blockReasons={blockReasons.get(lineRef.line.LineID) ?? []}
                  />
                ))}
              </ul>
            </section>
          )
        })}
        {lines.length > 0 && shown.length === 0 && <p className="mute">{t('noneCalled')}</p>}
      </div>
    </fieldset>
  )
}
