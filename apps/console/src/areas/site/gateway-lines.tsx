import type { Device, GatewayRecord, Line } from '@linewarden/contract'
import { tree } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { lineDrawer } from '../../paths.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { RenameLine } from './gateway-dialogs.tsx'

/** What stands behind a gateway, as it reported it, with a way to the live page and to another name for each line. */
export function GatewayLines({ gateway }: { gateway: GatewayRecord }) {
  const { DeviceID, HouseID } = gateway
  // Here, and not with the lines: those are drawn anew when the gateway has reported more.
  const [renaming, setRenaming] = useState<Line | null>(null)
  const query = useQuery({
    // Read again when the gateway has reported more, or less.
    queryKey: [...keyOf(tree, { query: { HouseID } }), 'gateway', DeviceID, gateway.DeviceCount, gateway.LineCount],
    queryFn: async () => {
      const { Groups } = await api.call(tree, { query: { HouseID } })
      const all = Groups.flatMap(({ Houses }) => Houses).flatMap((house) => house.Devices)
      return all.find((each) => each.DeviceID === DeviceID)?.Devices ?? []
    },
  })
  return (
    <>
      <Unloaded query={query} />
      {query.data && <Behind gateway={gateway} devices={query.data} onRename={setRenaming} />}
      {renaming && <RenameLine deviceId={DeviceID} line={renaming} onClose={() => setRenaming(null)} />}
    </>
  )
}

function Behind({
  gateway,
  devices,
  onRename,
}: {
  gateway: GatewayRecord
  devices: readonly Device[]
  onRename: (line: Line) => void
}) {
  const { t } = useTranslation('gateway')
  const { HouseID } = gateway
  const mayEdit = useMayEdit()
  if (devices.length === 0) return <p className="mute">{gateway.Link === 'never' ? t('waiting') : t('noDevices')}</p>
  return (
    <ul className="behind">
      {devices.map(({ ControllerID, Name, Family, Model, Lines }) => {
        const family = familyOf(Family)
        return (
          <li key={ControllerID}>
            <p className="device">
              <b>{Name}</b>
              <span className="mute">
                {ControllerID} · {family ? localised(family.label) : Family} · {Model}
              </span>
            </p>
            <ul>
              {Lines.map((line) => (
                <li key={line.LineID} className="line">
                  <span className="mute no">{line.LineNo === 0 ? '' : line.LineNo}</span>
                  <Link className="text-link" to={lineDrawer(HouseID, line.LineID)}>
                    {line.LineName}
                  </Link>
                  <LineTag lineId={line.LineID} />
                  <span className="mute">
                    {[
                      line.RatedCurrentA === null ? null : t('rated', { value: line.RatedCurrentA }),
                      line.LeakageTripMa === null ? null : t('trip', { value: line.LeakageTripMa }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                  <span className="grow" />
                  {mayEdit && (
                    <button
                      type="button"
                      className="btn small quiet"
                      aria-label={`${t('rename')} ${line.LineName}`}
                      title={t('rename')}
                      onClick={() => onRename(line)}
                    >
                      <Icon name="edit" />
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}
