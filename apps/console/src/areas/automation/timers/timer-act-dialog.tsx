import type { Timer, timerActs } from '@linewarden/contract'
import { timerActOperation } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { messageOf } from '../../../app/net/api.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useControlGrant } from '../../control/control-grant.tsx'

/** Gives what the call for a timer, as it was read, carries. */
type GrantOf = (timer: Pick<Timer, 'TimerID' | 'Version'>) => Promise<{ readonly Grant?: string }>

/** Asks whether something of a timer is meant, and for the control password where it will fire by the rights of whoever says so. */
export function TimerActDialog({
  title,
  submit,
  proves,
  act,
  onClose,
  children,
}: {
  title: string
  submit: string
  /** For what the control password is asked, of whoever has set one; null: for nothing. */
  proves: (typeof timerActs)[number] | null
  act: (grantOf: GrantOf) => Promise<string | null>
  onClose: () => void
  children: ReactNode
}) {
  const control = useControlGrant({ autoFocus: true })
  const run = async () => {
    if (proves && !control.check()) return ''
    try {
      return await act(async (timer) => (proves ? control.take(timerActOperation(proves, timer)) : {}))
    } catch (error) {
      control.forget()
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={title} submit={submit} onSubmit={run} onClose={onClose}>
      {children}
      {proves && control.field}
    </FormDialog>
  )
}
