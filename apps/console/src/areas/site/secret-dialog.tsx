import type { GatewayRecord } from '@linewarden/contract'
import { gatewayAccess } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import { CopyValue } from '../../ui/copy-value.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'

/** Where a gateway connects, as whom, and where it says that it is there. */
export function ConnectionFacts({ gateway }: { gateway: Pick<GatewayRecord, 'Number' | 'Platform'> }) {
  const { t } = useTranslation('gateway')
  const { data } = useCall(gatewayAccess, {}, { staleTime: Number.POSITIVE_INFINITY })
  const topic =
    gateway.Platform === 'json' ? `linewarden/v1/${gateway.Number}/birth` : `spBv1.0/linewarden/NBIRTH/${gateway.Number}`
  return (
    <>
      <CopyValue label={t('server')} value={data ? (data.Url ?? here(data)) : '–'} />
      <CopyValue label={t('user')} value={gateway.Number} />
      <CopyValue label={t('topic')} value={topic} />
    </>
  )
}

const here = ({ Port, Tls }: { Port: number; Tls: boolean }) => `${Tls ? 'mqtts' : 'mqtt'}://${location.hostname}:${Port}`

/** A gateway's new secret with everything else that is written into the gateway. */
export function SecretDialog({
  gateway,
  secret,
  onClose,
}: {
  gateway: Pick<GatewayRecord, 'Number' | 'Platform'>
  secret: string
  onClose: () => void
}) {
  const { t } = useTranslation('gateway')
  const title = t('secretTitle', { number: gateway.Number })
  return (
    <ShownOnce title={title} caution={t('secretOnce')} kept={t('secretKept')} wide onClose={onClose}>
      <div>
        <CopyValue label={t('secret')} value={secret} />
        <ConnectionFacts gateway={gateway} />
      </div>
    </ShownOnce>
  )
}
