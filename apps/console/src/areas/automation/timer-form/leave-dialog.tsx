import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog.tsx'

/** Asks whether what was typed may be lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useTranslation('timerForm')
  return (
    <Dialog label={t('leaveTitle')} onClose={onStay}>
      <h2>{t('leaveTitle')}</h2>
      <div className="content">
        <p>{t('leaveWhat')}</p>
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onLeave}>
          {t('leave')}
        </button>
        <button type="button" className="btn primary" data-first onClick={onStay}>
          {t('stay')}
        </button>
      </div>
    </Dialog>
  )
}
