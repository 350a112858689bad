import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog.tsx'
import type { QueryState } from './combined-query.ts'
import { Unloaded } from './unloaded.tsx'

/** In a dialog's place until what it has to know is here, or could not be fetched. */
export function WaitingDialog({ title, query, onClose }: { title: string; query: QueryState; onClose: () => void }) {
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
