import type { PushRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { CopyValue } from '../../ui/copy-value.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Mark } from '../../ui/mark.tsx'

export interface MadeSecret {
  readonly Push: PushRecord
  readonly Secret: string
}

/** Where a platform finds us. */
export const addressOf = ({ Path }: Pick<PushRecord, 'Path'>): string => location.origin + Path

/** A subscription's new secret, as it is written into the platform. It stays until somebody says that it is kept. */
export function PushSecret({ made: { Push, Secret }, onClose }: { made: MadeSecret; onClose: () => void }) {
  const { t } = useTranslation('push')
  const title = t('secretTitle', { name: Push.Name })
  return (
    <Dialog label={title} stays wide onClose={onClose}>
      <h2>{title}</h2>
      <div className="content">
        <p className="caution" role="alert">
          <Mark kind="warning" />
          {t('secretOnce')}
        </p>
        <div>
          <CopyValue label={t('address')} value={Push.Platform === 'ctwing' ? `${addressOf(Push)}/${Secret}` : addressOf(Push)} />
          {Push.Platform === 'onenet' && <CopyValue label={t('token')} value={Secret} />}
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
