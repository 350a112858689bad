import type { InspectionRecord } from '@linewarden/contract'
import { inspect, inspections } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { countsOf } from '../../plant/equipment.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { clockTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { useNow } from '../../ui/use-now.ts'
import { problemOf } from './problem-of.ts'

const shownBefore = 10

/** The inspection lock: begun for this device or for everything behind its gateway, how long it still lasts, and those before. */
export function Inspection({ lineRef, may }: { lineRef: LineRef; may: boolean }) {
  const { t } = useTranslation(['operations', 'control'])
  const { device, gateway } = lineRef
  const [asking, setAsking] = useState(false)
  const now = useNow()
  const inspected = useCall(inspections, { params: { DeviceID: gateway.DeviceID } }, { refetchInterval: 10_000 })
  const { data } = inspected
  const mayNot = may ? null : t('control:noPermission')
  const ofThis = data?.items.filter(({ ControllerID }) => ControllerID === null || ControllerID === device.ControllerID) ?? []
  const running = ofThis.filter(({ Until }) => Until > now)
  const before = ofThis.filter(({ Until }) => Until <= now).slice(0, shownBefore)
  const begin = (of: { ControllerID?: string }) => change(inspect, { body: { DeviceID: gateway.DeviceID, ...of } })
  const what = ({ ControllerID }: InspectionRecord) => (ControllerID === null ? t('wholeGateway') : t('thisDevice'))
  return (
    <div className="inspection">
      <p className="row">
        <b>{t('inspection')}</b>
        <span className="grow" />
        <ReasonedButton
          className="btn small"
          reason={mayNot}
          onClick={() => void callWithToast(begin({ ControllerID: device.ControllerID }))}
        >
          {t('inspect')}
        </ReasonedButton>
        <ReasonedButton className="btn small" reason={mayNot} onClick={() => setAsking(true)}>
          {t('inspectGateway')}
        </ReasonedButton>
      </p>
      <Unloaded query={inspected} />
      <ul aria-label={t('inspection')}>
        {running.map((each) => (
          <Begun key={each.InspectionID} inspection={each} icon={<Icon name="clock" />}>
            <b>{t('inspectionRuns', { what: what(each), seconds: Math.ceil((each.Until - now) / 1_000) })}</b>
          </Begun>
        ))}
      </ul>
      {data && running.length === 0 && <p className="mute">{t('noInspection')}</p>}
      {before.length > 0 && (
        <details>
          <summary>{t('inspectionsBefore', { count: before.length })}</summary>
          <ul>
            {before.map((each) => (
              <Begun key={each.InspectionID} inspection={each}>
                {what(each)}
              </Begun>
            ))}
          </ul>
        </details>
      )}
      {asking && (
        <ConfirmDialog
          title={t('inspectGatewayTitle', { name: gateway.GatewayName })}
          what={t('inspectGatewayWhat', countsOf(gateway.Devices))}
          submit={t('inspectGateway')}
          onConfirm={() => begin({}).then(() => null, problemOf)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** One inspection: what it is of, who began it and when. */
function Begun({
  inspection: { Actor, StartedAt },
  icon,
  children,
}: {
  inspection: InspectionRecord
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <li>
      {icon}
      <span>
        {children}
        <small className="mute">
          {Actor} · {clockTime(StartedAt)}
        </small>
      </span>
    </li>
  )
}
