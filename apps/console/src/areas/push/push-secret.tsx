import type { PushRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { CopyValue } from '../../ui/copy-value.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'

export interface MadeSecret {
  readonly Push: PushRecord
  readonly Secret: string
}

/** Where a platform finds us. */
export const addressOf = ({ Path }: Pick<PushRecord, 'Path'>): string => location.origin + Path

/** A subscription's new secret, as it is written into the platform. */
export function PushSecret({ made: { Push, Secret }, onClose }: { made: MadeSecret; onClose: () => void }) {
  const { t } = useTranslation('push')
  const title = t('secretTitle', { name: Push.Name })
  return (
    <ShownOnce title={title} caution={t('secretOnce')} kept={t('secretKept')} wide onClose={onClose}>
      <div>
        <CopyValue label={t('address')} value={Push.Platform === 'ctwing' ? `${addressOf(Push)}/${Secret}` : addressOf(Push)} />
        {Push.Platform === 'onenet' && <CopyValue label={t('token')} value={Secret} />}
      </div>
    </ShownOnce>
  )
}
