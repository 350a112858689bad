import { useTranslation } from 'react-i18next'
import { conditionText } from '../../plant/condition-text.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, isSwitchState, severityOf } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { figure } from '../../ui/format.ts'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { toneOf } from './diagram-line.tsx'
import { readingOf } from './plant-state.ts'

/** All lines of a device: each opens in its place. */
export function DeviceLines({
  lines,
  shown,
  choose,
}: {
  lines: readonly LineRef[]
  shown: LineRef
  choose: (lineId: number) => void
}) {
  const { t } = useTranslation('screen')
  return (
    <ul className="device-lines" aria-label={t('linesOfDevice')}>
      {lines.map((lineRef) => (
        <LineOfDevice
          key={lineRef.line.LineID}
          lineRef={lineRef}
          isShown={lineRef === shown}
          choose={() => choose(lineRef.line.LineID)}
        />
      ))}
    </ul>
  )
}

function LineOfDevice({ lineRef, isShown, choose }: { lineRef: LineRef; isShown: boolean; choose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  const { line, device, family } = lineRef
  const state = useLine(line.LineID)
  const link = useDeviceLink(device.ControllerID) ?? device.Link
  const old = useIsOld(line.LineID, family)
  const condition = conditionOf(state, link.Link, family)
  const kw = condition === 'offline' || old ? null : readingOf(state, family, 'power.total')
  return (
    <li className={toneOf(condition, severityOf(state))}>
      <button type="button" aria-pressed={isShown} onClick={choose}>
        {isSwitchState(condition) && <SwitchSymbol state={condition} />}
        <b>
          <bdi>{line.LineName}</bdi> <LineTag lineId={line.LineID} />
        </b>
        <span>{conditionText(condition, t)}</span>
        <em>
          {figure(kw, 1)} <small>kW</small>
        </em>
      </button>
    </li>
  )
}
