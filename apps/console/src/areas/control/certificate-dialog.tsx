import { selfTestCertificate } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { Measured } from './measured.tsx'
import './operations.css'

/** The certificate of one self-test, on paper too. Its number and hash lead to the entry in the append-only log. */
export function CertificateDialog({
  lineRef: { device, line },
  commandId,
  onClose,
}: {
  lineRef: LineRef
  commandId: string
  onClose: () => void
}) {
  const { t } = useTranslation(['operations', 'app'])
  const params = { ControllerID: device.ControllerID, LineNo: line.LineNo, CommandID: commandId }
  const query = useCall(selfTestCertificate, { params })
  const { data } = query
  const rows = data && [
    [t('certificateNumber'), data.Number],
    [t('app:project'), data.HouseName],
    [t('equipment'), `${data.GatewayName} (${data.GatewayNumber}) · ${data.DeviceName} ${data.Test.Model} ${data.ControllerID}`],
    [t('app:line'), `${data.LineName} #${data.LineNo}${data.RatedCurrentA === null ? '' : ` · ${data.RatedCurrentA} A`}`],
    [t('idn'), data.Test.ResidualMa === null ? '–' : `${data.Test.ResidualMa} mA`],
    [t('tested'), new Date(data.Test.At).toLocaleString(undefined, { timeZone: data.TimeZone, timeZoneName: 'short' })],
    [t('person'), `${data.Test.Actor} · ${data.Reason}`],
    [t('app:result'), data.Test.Result === 'passed' ? t('passed') : t('failed')],
    [t('limit'), <Measured key="measured" test={data.Test} />],
    [t('standard'), data.Standard],
    [t('certificateHash'), data.Hash],
  ]
  return (
    <Dialog label={t('certificateTitle')} wide onClose={onClose}>
      <h2>{t('certificateTitle')}</h2>
      <div className="content">
        {/* A certificate never changes: one that is here is not old. */}
        {!rows ? (
          <Unloaded query={query} />
        ) : (
          <dl className="certificate">
            {rows.map(([name, value]) => (
              <div key={String(name)}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <CloseFoot onClose={onClose}>
        <button type="button" className="btn primary" disabled={!data} onClick={() => window.print()}>
          {t('print')}
        </button>
      </CloseFoot>
    </Dialog>
  )
}
