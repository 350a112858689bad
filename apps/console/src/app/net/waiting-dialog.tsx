import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog.tsx'
import type { Asked } from './asked.ts'
import { Unloaded } from './unloaded.tsx'

/** In a dialog's place until what it has to know is here, or could not be fetched. */
export function WaitingDialog({ title, query, onClose }: { title: string; query: Asked; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <div className="content">
        <Unloaded query={query} />
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </Dialog>
  )
}
