import type { LineState, PermitCondition } from '@linewarden/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnected } from '../../app/net/live-link.ts'
import { Age } from '../../plant/age.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { StateWord } from '../../plant/state-word.tsx'
import { TagMark } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'

/** Whether a line is ready: nothing against it, something against it, or the server has not said. */
export type Readiness = 'ready' | 'blocked' | 'unknown'

/** A line that can be chosen: how it stands, what it carries, and each reason against operating it. */
export function GroupOperationLine({
  lineRef,
  ticked,
  onToggle,
  readiness,
  blockReasons,
}: {
  lineRef: LineRef
  ticked: boolean
  onToggle: () => void
  readiness: Readiness
  blockReasons: readonly PermitCondition[]
}) {
  const { t } = useTranslation('operations')
  const { line, device, family } = lineRef
  const id = useId()
  const state = useLine(line.LineID)
  const link = (useDeviceLink(device.ControllerID) ?? device.Link).Link
  // The same rule as in the list behind it.
  const isOld = useIsOld(line.LineID, family)
  const current = useConnected() && link === 'online' && !isOld
  const kw = loadOf(lineRef, state)
  return (
    <li className={current ? readiness : `${readiness} stale`}>
      <label className="option">
        <input type="checkbox" checked={ticked} onChange={onToggle} aria-describedby={blockReasons.length > 0 ? id : undefined} />
        <span>
          {line.LineName} <TagMark count={state?.Tags ?? 0} />
          <small className="mute">
            {device.Name}
            {line.LineNo > 0 && ` #${line.LineNo}`}
          </small>
        </span>
        <StateWord condition={conditionOf(state, link, family)} switched={family?.level === 'line'} />
        <span className="kw">{current ? kw === null ? '–' : `${figure(kw, 1)} kW` : <Age state={state} current={false} />}</span>
        <span className="readiness">
          {readiness === 'blocked' && <Icon name="lock" />}
          {readiness === 'blocked' ? t('unmetCount', { count: blockReasons.length }) : t(`readiness.${readiness}`)}
        </span>
      </label>
      {blockReasons.length > 0 && (
        <ul id={id}>
          {blockReasons.map(({ Key, What, Why, Clears }) => (
            <li key={Key}>
              <span className="reason">{localised(Why ?? What)}</span>
              {Clears && <span className="mute">{localised(Clears)}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Active power as last reported; null: not known. */
function loadOf({ family }: LineRef, state: LineState | undefined): number | null {
  const at = family?.points.findIndex(({ key }) => key === 'power.total') ?? -1
  return state?.Values[at] ?? null
}
