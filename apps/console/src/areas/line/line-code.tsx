import type { TagRecord } from '@linewarden/contract'
import { lineTags } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import { lineDrawer } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { CopyValue } from '../../ui/copy-value.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import '../equipment/label-sheet.css'
import './line-code.css'

/** The line's own QR code: scanned in front of the cabinet it opens this drawer, where tags are hung and taken off. */
export function LineCode({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation('operations')
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn small quiet" aria-label={t('code')} title={t('code')} onClick={() => setOpen(true)}>
        <svg className="ic" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 2h4.500v4.500H2zM9.500 2H14v4.500H9.500zM2 9.500h4.500V14H2zM9.500 9.500h2v2M14 9.500v2M9.500 14h2M14 14h-.1M4.200 4.200h.1M11.700 4.200h.1M4.200 11.700h.1" />
        </svg>
      </button>
      {open && <CodeDialog lineRef={lineRef} onClose={() => setOpen(false)} />}
    </>
  )
}

function CodeDialog({ lineRef, onClose }: { lineRef: LineRef; onClose: () => void }) {
  const { t } = useTranslation(['operations', 'app'])
  const { line, device, gateway, project } = lineRef
  const address = `${location.origin}${lineDrawer(project.HouseID, line.LineID)}`
  const tags = useCall(lineTags, { params: { ControllerID: device.ControllerID, LineNo: line.LineNo } })
  const nameOf = ({ Holder, On }: TagRecord) =>
    // A detector is one with its line.
    On === 'line' || (On === 'device' && lineRef.family?.level === 'device')
      ? Holder
      : t('hangingOn', { name: Holder, place: t(`places.${On}`) })
  const hanging = tags.data?.items.filter(({ RemovedAt }) => RemovedAt === null) ?? []
  return (
    <Dialog label={t('code')} onClose={onClose}>
      <h2>{t('code')}</h2>
      <div className="content line-code">
        <p className="mute no-print">{t('codeHint')}</p>
        <ul className="label-sheet">
          <li>
            <QrCode text={address} />
            <p>
              <b>{line.LineName}</b>
              <span>{device.Name}</span>
              <span>{project.Name}</span>
              <small>
                {gateway.GatewayName} · {device.ControllerID}
                {line.LineNo > 0 && ` #${line.LineNo}`}
              </small>
            </p>
          </li>
        </ul>
        <CopyValue label={t('codeAddress')} value={address} />
        {tags.data && (
          <p className="no-print">
            {hanging.length === 0 ? (
              t('noTags')
            ) : (
              <>
                <Icon name="lock" /> {t('hanging', { names: hanging.map(nameOf).join(t('app:listComma')) })}
              </>
            )}
          </p>
        )}
      </div>
      <CloseFoot onClose={onClose}>
        <button type="button" className="btn primary" onClick={() => window.print()}>
          {t('print')}
        </button>
      </CloseFoot>
    </Dialog>
  )
}
