import { useTranslation } from 'react-i18next'
import { countsOf } from '../../app/offline/entry.ts'
import { useKept } from '../../app/offline/kept.ts'
import { useSession } from '../../app/session/session.ts'
import { signOut } from '../../app/session/sign-out.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Before somebody leaves a device on which work of theirs waits: it stays, and only they can read and send it. */
export function LeaveUnsentDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['app', 'people'])
  const userId = useSession((session) => session.userId)
  const { photos, answers, orders, others, flagged } = countsOf(useKept(({ entries }) => entries))
  return (
    <ConfirmDialog
      title={t('app:signOut')}
      what={t('people:unsentWhat', { count: answers + orders + others + flagged, photos })}
      submit={t('app:signOut')}
      onConfirm={async () => {
        await signOut(userId)
        return null
      }}
      onClose={onClose}
    />
  )
}
