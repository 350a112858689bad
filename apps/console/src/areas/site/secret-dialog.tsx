import type { GatewayRecord } from '@linewarden/contract'
import { gatewayAccess } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { CopyValue } from '../../ui/copy-value.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Mark } from '../../ui/mark.tsx'

/** Where a gateway connects, as whom, and where it says that it is there. */
export function ConnectionFacts({ gateway }: { gateway: Pick<GatewayRecord, 'Number' | 'Platform'> }) {
  const { t } = useTranslation('gateway')
  const { data } = useQuery({
    queryKey: ['gatewayAccess'],
    queryFn: () => api.call(gatewayAccess),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const topic =
    gateway.Platform === 'json' ? `linewarden/v1/${gateway.Number}/birth` : `spBv1.0/linewarden/NBIRTH/${gateway.Number}`
  return (
    <>
      <CopyValue label={t('server')} value={data ? (data.Url ?? `mqtt://${location.hostname}:${data.Port}`) : '–'} />
      <CopyValue label={t('user')} value={gateway.Number} />
      <CopyValue label={t('topic')} value={topic} />
    </>
  )
}

/** A gateway's new secret with everything else that is written into the gateway. It stays until somebody says that the secret is kept. */
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
    <Dialog label={title} stays wide onClose={onClose}>
      <h2>{title}</h2>
      <div className="content">
        <p className="caution" role="alert">
          <Mark kind="warning" />
          {t('secretOnce')}
        </p>
        <div>
          <CopyValue label={t('secret')} value={secret} />
          <ConnectionFacts gateway={gateway} />
        </div>
      </div>
      <div className="foot">
        <button type="button" className="btn primary" onClick={onClose}>
          {t('secretKept')}
        </button>
      </div>
    </Dialog>
  )
}
