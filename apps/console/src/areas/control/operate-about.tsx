import { useTranslation } from 'react-i18next'
import { useConnected } from '../../app/net/live-link.ts'
import { ConfirmedAge } from '../../plant/confirmed-age.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, isSwitchState } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { positionSince } from '../../plant/position-since.ts'
import { StateWord } from '../../plant/state-word.tsx'
import { TagMark } from '../../plant/tag-mark.tsx'
import { FamilyIcon } from '../../ui/family-icon.tsx'
import { Place } from '../../ui/place.tsx'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import './operate-dialog.css'

/** The head of an order's dialog: which line that is, where, and how it stands now. */
export function OperateAbout({ lineRef, title }: { lineRef: LineRef; title: string }) {
  const { t } = useTranslation(['control', 'monitor'])
  const { line, device, gateway, project, family } = lineRef
  const state = useLine(line.LineID)
  const link = (useDeviceLink(device.ControllerID) ?? device.Link).Link
  const condition = conditionOf(state, link, family)
  const isOld = useIsOld(line.LineID, family)
  const current = useConnected() && link === 'online' && !isOld
  const isSwitch = family?.level === 'line' && isSwitchState(condition)
  const since = positionSince(state, condition, { named: false })
  return (
    <header className="operate-about">
      {isSwitch ? <SwitchSymbol state={condition} /> : family && <FamilyIcon icon={family.icon} />}
      <div>
        <h2>{title}</h2>
        <p className="mute">
          <Place names={[project.Name, gateway.GatewayName, device.Name, ...(line.LineNo > 0 ? [`#${line.LineNo}`] : [])]} />
        </p>
        <p>
          {t('standsNow')} <StateWord condition={condition} switched={isSwitch} /> <TagMark count={state?.Tags ?? 0} />{' '}
          {since && `${since} `}· <ConfirmedAge state={state} current={current} />
        </p>
      </div>
    </header>
  )
}
