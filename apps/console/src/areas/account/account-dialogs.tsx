import { Suspense } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { lazyDialog } from '../../app/net/lazy-dialog.tsx'
import { openAccountDialog, useAccountDialog } from '../../app/session/account-dialog.ts'

const MyAccount = lazyDialog(async () => (await import('./my-account.tsx')).MyAccount)
const ControlPasswordDialog = lazyDialog(async () => (await import('./control-password-dialog.tsx')).ControlPasswordDialog)
const SecondFactorDialog = lazyDialog(async () => (await import('./second-factor-dialog.tsx')).SecondFactorDialog)
const LeaveDialog = lazyDialog(async () => (await import('./leave-unsent-dialog.tsx')).LeaveUnsentDialog)
const SessionsDialog = lazyDialog(async () => (await import('./sessions-dialog.tsx')).SessionsDialog)

/** The dialog of the own account that is open, whoever asked for it. */
export function AccountDialogs() {
  const { t } = useTranslation('people')
  const dialog = useAccountDialog(({ open }) => open)
  const close = () => openAccountDialog(null)
  return createPortal(
    <Suspense>
      {dialog === 'sessions' && <SessionsDialog accountId={null} title={t('sessions')} onClose={close} />}
      {dialog === 'leave' && <LeaveDialog onClose={close} />}
      {dialog === 'control' && <ControlPasswordDialog onClose={close} />}
      {dialog === 'factor' && <SecondFactorDialog onClose={close} />}
      {(dialog === 'info' || dialog === 'password') && <MyAccount what={dialog} onClose={close} />}
    </Suspense>,
    // What the header does to its own buttons is not for those of a dialog.
    document.body,
  )
}
