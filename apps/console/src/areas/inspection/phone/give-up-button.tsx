import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { giveUp } from '../../../app/offline/outbox.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

/** What the server did not take is given up: only the person decides that, and it is said what it means. */
export function GiveUpButton({ id }: { id: string }) {
  const { t } = useTranslation('phoneRounds')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" className="btn" onClick={() => setAsking(true)}>
        {t('giveUp')}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={t('giveUp')}
          what={t('giveUpWhat')}
          submit={t('giveUp')}
          onConfirm={async () => {
            await giveUp(id)
            return null
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
