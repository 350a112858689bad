import type { PermitCondition } from '@linewarden/contract'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { said } from '../../texts/i18n.ts'
import { SearchField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { isCalled } from '../monitor/equipment.ts'

/** From here on nobody finds a line by reading down the list. */
const manyLines = 12

/** Where a line stands: nothing against it, something against it, or the server has not said. */
export type Standing = 'ready' | 'blocked' | 'unknown'

/** The lines of a group, each with what stands against the operation and who can clear it; the person ticks those that are meant. */
export function RunLines({
  lines,
  unable,
  ticked,
  onTick,
  standingOf,
  unmet,
}: {
  lines: readonly PlacedLine[]
  /** So many others on the page know no such operation. */
  unable: number
  ticked: ReadonlySet<number>
  onTick: (ticked: ReadonlySet<number>) => void
  standingOf: (placed: PlacedLine) => Standing
  unmet: ReadonlyMap<number, readonly PermitCondition[]>
}) {
  const { t } = useTranslation('operations')
  const [search, setSearch] = useState('')
  const shown = lines.filter(isCalled(search))
  const ready = shown.filter((placed) => standingOf(placed) === 'ready')
  const blocked = lines.filter((placed) => standingOf(placed) === 'blocked').length
  const chosen = lines.filter(({ line }) => ticked.has(line.LineID)).length
  const toggle = (id: number) => {
    const after = new Set(ticked)
    if (!after.delete(id)) after.add(id)
    onTick(after)
  }
  return (
    <fieldset className="run-choice">
      <legend>{t('groupLines')}</legend>
      <div className="bar">
        <span role="status">
          {t('chosenOf', { chosen, count: lines.length })}
          {blocked > 0 && <span className="mute"> · {t('blockedCount', { count: blocked })}</span>}
          {unable > 0 && <span className="mute"> · {t('unableCount', { count: unable })}</span>}
        </span>
        <span className="grow" />
        {lines.length > manyLines && <SearchField label={t('lineName')} value={search} onChange={setSearch} />}
        <button
          type="button"
          className="btn small"
          disabled={ready.length === 0}
          onClick={() => onTick(new Set([...ticked, ...ready.map(({ line }) => line.LineID)]))}
        >
          {t('tickReady', { count: ready.length })}
        </button>
        <button type="button" className="btn small" disabled={chosen === 0} onClick={() => onTick(new Set())}>
          {t('untick')}
        </button>
      </div>
      <ul className="run-lines">
        {shown.map((placed) => (
          <RunLine
            key={placed.line.LineID}
            placed={placed}
            ticked={ticked.has(placed.line.LineID)}
            onToggle={() => toggle(placed.line.LineID)}
            standing={standingOf(placed)}
            unmet={unmet.get(placed.line.LineID) ?? []}
          />
        ))}
        {lines.length > 0 && shown.length === 0 && <li className="mute">{t('noneCalled')}</li>}
      </ul>
    </fieldset>
  )
}

function RunLine({
  placed: { line, device, gateway },
  ticked,
  onToggle,
  standing,
  unmet,
}: {
  placed: PlacedLine
  ticked: boolean
  onToggle: () => void
  standing: Standing
  unmet: readonly PermitCondition[]
}) {
  const { t } = useTranslation('operations')
  const id = useId()
  return (
    <li className={standing}>
      <label className="option">
        <input type="checkbox" checked={ticked} onChange={onToggle} aria-describedby={unmet.length > 0 ? id : undefined} />
        <span>
          {line.LineName}
          <small className="mute">
            {gateway.GatewayName} · {device.Name}
          </small>
        </span>
        <span className="standing">
          {standing === 'blocked' && <Icon name="lock" />}
          {standing === 'blocked' ? t('unmetCount', { count: unmet.length }) : t(`standing.${standing}`)}
        </span>
      </label>
      {unmet.length > 0 && (
        <ul id={id}>
          {unmet.map(({ Key, What, Why, Clears }) => (
            <li key={Key}>
              <span>{said(Why ?? What)}</span>
              {Clears && <span className="mute">{said(Clears)}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
