import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/api.ts'
import { Failed, Loading } from '../../ui/body-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** In a dialog's place until what it has to know is here, or could not be fetched. */
export function WaitingDialog({ title, query, onClose }: { title: string; query: UseQueryResult; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <div className="content">
        {query.isError ? <Failed message={messageOf(query.error)} retry={() => void query.refetch()} /> : <Loading />}
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </Dialog>
  )
}
