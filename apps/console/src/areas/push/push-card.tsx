import type { PushRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { CopyValue } from '../../ui/copy-value.tsx'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { addressOf } from './push-secret.tsx'

/** One subscription: where it pushes to, when it last did, and how its messages fared. */
export function PushCard({
  push,
  onEdit,
  onRotate,
  onDelete,
}: {
  push: PushRecord
  onEdit: () => void
  onRotate: () => void
  onDelete: () => void
}) {
  const { t } = useTranslation(['push', 'app'])
  const counts = [
    [t('accepted'), push.Accepted],
    [t('waiting'), push.Waiting],
    [t('duplicates'), push.Duplicates],
    [t('setAside'), push.SetAside],
    [t('refused'), push.Refused],
  ] as const
  return (
    <li aria-label={push.Name}>
      <div className="head">
        <b>{push.Name}</b>
        <span className="chip">{t(push.Platform)}</span>
        {!push.Enabled && <span className="chip">{t('app:disabled')}</span>}
        <span className="mute">
          {t('lastAt')} {push.LastAt === null ? t('never') : dayTime(push.LastAt)}
        </span>
      </div>
      <CopyValue
        label={push.Platform === 'ctwing' ? `${t('address')} (${t('keyAtEnd')})` : t('address')}
        value={addressOf(push)}
      />
      <dl>
        {counts.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      {push.LastRefusal !== null && push.LastRefusedAt !== null && (
        <p className="mute">{t('lastRefusal', { when: dayTime(push.LastRefusedAt), why: localised(push.LastRefusal) })}</p>
      )}
      {push.OwnerChangedAt !== null && (
        <p className="caution">
          <Mark kind="warning" /> {t('ownerChanged', { when: dayTime(push.OwnerChangedAt) })}
        </p>
      )}
      <div className="acts">
        <button type="button" className="btn small" onClick={onEdit}>
          {t('app:edit')}
        </button>
        <button type="button" className="btn small" onClick={onRotate}>
          {t('rotate')}
        </button>
        <button type="button" className="btn small" onClick={onDelete}>
          {t('app:delete')}
        </button>
      </div>
    </li>
  )
}
