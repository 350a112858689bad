import type { DeviceRecord } from '@linewarden/contract'
import { tree } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { brandName, useBranding } from '../../app/shell/branding.ts'
import { lineDrawer } from '../../paths.ts'
import { Empty } from '../../ui/body-state.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import './label-sheet.css'

interface Label {
  readonly lineId: number
  readonly line: string
  readonly device: DeviceRecord
}

/** One label for every line of the chosen devices, to print and to stick beside the breaker: its code opens the line's drawer. */
export function LabelSheet({ devices, onClose }: { devices: readonly DeviceRecord[]; onClose: () => void }) {
  const { t } = useTranslation('gateway')
  const company = brandName(useBranding())
  const query = useQuery({
    queryKey: [...keyOf(tree), 'labels', devices.map(({ ControllerID }) => ControllerID)],
    queryFn: () => labelsOf(devices),
  })
  const { data } = query
  return (
    <Dialog label={t('labelsTitle')} wide onClose={onClose}>
      <h2>{t('labelsTitle')}</h2>
      <div className="content">
        <Unloaded query={query} />
        {data?.length === 0 && <Empty title={t('labelsNone')} />}
        {data && data.length > 0 && (
          <>
            <p className="mute no-print">{t('labelsHint', { count: data.length })}</p>
            <ul className="label-sheet">
              {data.map(({ lineId, line, device }) => (
                <li key={lineId}>
                  <QrCode text={`${location.origin}${lineDrawer(device.HouseID, lineId)}`} />
                  <p>
                    <b>{line}</b>
                    <span>{device.Name}</span>
                    <span>{device.HouseName}</span>
                    {device.WarrantyUntil !== null && <small>{t('labelWarranty', { day: device.WarrantyUntil })}</small>}
                    {device.EndOfLife !== null && <small>{t('labelEnd', { day: device.EndOfLife })}</small>}
                    {company !== '' && <small>{company}</small>}
                    <small>
                      {device.GatewayName} · {device.ControllerID}
                    </small>
                  </p>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <CloseFoot onClose={onClose}>
        <button type="button" className="btn primary" disabled={!data?.length} onClick={() => window.print()}>
          {t('print')}
        </button>
      </CloseFoot>
    </Dialog>
  )
}

async function labelsOf(devices: readonly DeviceRecord[]): Promise<Label[]> {
  const wanted = new Map(devices.map((device) => [device.ControllerID, device]))
  const houses = [...new Set(devices.map(({ HouseID }) => HouseID))]
  const trees = await Promise.all(houses.map((HouseID) => api.call(tree, { query: { HouseID } })))
  return trees
    .flatMap(({ Groups }) => Groups.flatMap(({ Houses }) => Houses.flatMap((house) => house.Devices)))
    .flatMap((gateway) => gateway.Devices)
    .flatMap(({ ControllerID, Lines }) => {
      const device = wanted.get(ControllerID)
      return device ? Lines.map(({ LineID, LineName }) => ({ lineId: LineID, line: LineName, device })) : []
    })
}
